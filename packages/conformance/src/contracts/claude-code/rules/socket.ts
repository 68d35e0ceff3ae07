import { setTimeout as delay } from "node:timers/promises";
import { demand, demandNone, quote } from "../../check.ts";
import { resulting } from "../../fault.ts";
import { garbage, guardChecks, plainChecks, problemsOfIntroduction, problemsOfTools } from "../../plain.ts";
import { observed, recommended } from "../../requirement.ts";
import { type Cli, cliHeaders } from "../wire/cli.ts";
import type { ClaudeGroup, Means } from "./means.ts";

const authorization = "x-claude-code-ide-authorization";

const plain = plainChecks<Cli>((cli, method, params) => cli.request(method, params).answer());

const { webPage, foreignHost } = guardChecks<Means>(
  async ({ knock, target }, header) =>
    (await knock({ ...cliHeaders, [authorization]: target.token, ...header })).status,
  ({ target }) => `:${target.port}`,
);

export const socketRules: ClaudeGroup = {
  CS1: {
    MUST: "On `127.0.0.1:<port>` a WebSocket with the header `x-claude-code-ide-authorization: <authToken>` is accepted, and the subprotocol `mcp` is echoed.",
    sources: observed("Without the subprotocol the CLI hangs up, says nothing and does not try again."),
    check: "handshake",
    async run({ newCli }) {
      const cli = newCli();
      await cli.open();
      await cli.greet();
    },
    fault: { plain: true, says: /the subprotocol mcp was not echoed, got none/ },
  },
  CS2: {
    isSecurity: true,
    MUST: "Without the token, or with another one, the upgrade is refused.",
    sources: [
      recommended("Any other program of this machine could put texts into the user's files."),
      observed("The CLI tries once and stays unconnected."),
    ],
    check: "wrong-token",
    async run({ knock, target }) {
      demand(target.token !== "", "the lock file has no token: every program of this machine is let in");
      const another = "x".repeat(target.token.length);
      const tokens = { none: undefined, another, empty: "", "a longer": `${target.token}x` };
      const problems: string[] = [];
      for (const [name, token] of Object.entries(tokens)) {
        const { status } = await knock({
          ...cliHeaders,
          ...(token !== undefined && { [authorization]: token }),
        });
        if (status < 400) problems.push(`with ${name} token the upgrade was answered ${status}`);
      }
      demandNone(problems);
    },
    fault: {
      head: ({ headers, token }) => ({ ...headers, [authorization]: token }),
      says: /with none token the upgrade was answered 101/,
    },
  },
  CS3: {
    isSecurity: true,
    MUST: "An upgrade with an `Origin` is refused.",
    sources: observed("The CLI sends no `Origin`; every web page does."),
    ...webPage,
  },
  CS4: {
    isSecurity: true,
    MUST: "An upgrade with a `Host` that is not this machine's is refused.",
    sources: recommended("A web page can give its own name this machine's address."),
    ...foreignHost,
  },
  CS5: {
    MUST: "Several CLIs are connected at once, each with its own request ids.",
    sources: observed(
      "Ids begin at 0 on each socket. A CLI that is thrown out (close code 4001) stays away until `/ide`.",
    ),
    ...plain.severalClis,
  },
  CS6: {
    MUST: "What is no JSON-RPC harms neither the companion nor other CLIs.",
    sources: recommended("One faulty client must not cost the user the others."),
    check: "garbage",
    async run({ connect }) {
      const [good, bad] = [await connect(), await connect()];
      for (const text of garbage) bad.sendText(text);
      await good.list();
      await connect();
    },
    fault: {
      up(message, { cutAll }) {
        if (!message) cutAll();
        return message;
      },
      says: /tools\/list was not answered within/,
    },
  },
  CS7: {
    MUST: "The companion does not close a socket that is silent.",
    sources: observed("A question can stay open for as long as its user thinks; the CLI sends no pings."),
    unchecked: "it would take longer than anybody waits for a check.",
  },
};

export const messagesRules: ClaudeGroup = {
  CM1: {
    SHOULD:
      "`initialize` is answered with the version that the CLI asks for, with `serverInfo` and with the capability `tools`.",
    sources: observed(
      "Versions 2.x ask for 2025-11-25, version 1.0.128 for 2025-06-18. They go on with an older version, too.",
    ),
    check: "initialize",
    async run({ newCli }) {
      const problems: string[] = [];
      for (const version of ["2025-11-25", "2025-06-18"]) {
        const cli = newCli();
        await cli.open();
        problems.push(...problemsOfIntroduction(await cli.greet(version), version));
      }
      demandNone(problems);
    },
    fault: {
      down: resulting("initialize", () => ({ protocolVersion: "2024-11-05" })),
      says: /protocolVersion is "2024-11-05", not "2025-11-25"/,
    },
  },
  CM2: {
    SHOULD: "`tools/list` has `openDiff`, `close_tab`, `closeAllDiffTabs` and `getDiagnostics`.",
    sources: observed("These are the tools that the CLI calls, whether they are listed or not."),
    check: "tool-list",
    async run({ connect }) {
      const wanted = { openDiff: [], close_tab: [], closeAllDiffTabs: [], getDiagnostics: [] };
      demandNone(problemsOfTools(await (await connect()).list(), wanted));
    },
    fault: {
      down: resulting("tools/list", () => ({ tools: [{ name: "openDiff" }] })),
      says: /close_tab is not listed; closeAllDiffTabs/,
    },
  },
  CM3: {
    SHOULD: "`ping` is answered with an empty result, and an unknown method with the error −32601.",
    sources: recommended("It is MCP, and JSON-RPC 2.0."),
    ...plain.requests,
  },
  CM4: {
    MUST: "An unknown tool is answered with an error.",
    sources: observed("A CLI waits for the answer of a call without a limit."),
    ...plain.unknownTool,
  },
  CM5: {
    SHOULD: "Notifications are not answered: `notifications/initialized`, `ide_connected`, and unknown ones.",
    sources: observed("The CLI sends `ide_connected` with its process id after each handshake."),
    check: "no-answers",
    async run({ connect, limits }) {
      const cli = await connect();
      cli.notify("ide_connected", { pid: process.pid });
      cli.notify("no/such/notification");
      await delay(limits.quiet);
      demand(cli.stray.length === 0, `there came ${quote(cli.stray[0])}, which answers nothing`);
    },
    fault: {
      up(message, { tell }) {
        if (message?.id === undefined) tell({ jsonrpc: "2.0", id: null, result: {} });
        return message;
      },
      says: /which answers nothing/,
    },
  },
};
