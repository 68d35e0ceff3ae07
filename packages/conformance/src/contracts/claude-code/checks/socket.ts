import { setTimeout as delay } from "node:timers/promises";
import { isJson } from "../../../wire/json-rpc.ts";
import { demand, demandNone, resultOf } from "../../check.ts";
import { cliHeaders } from "../wire/cli.ts";
import type { ClaudeCheck } from "./means.ts";

const authorization = "x-claude-code-ide-authorization";

export const handshake: ClaudeCheck = {
  id: "handshake",
  title: "the token opens a WebSocket with the subprotocol mcp",
  requirements: ["CS1"],
  lane: "wire",
  async run({ newCli }) {
    const cli = newCli();
    await cli.open();
    await cli.greet();
  },
};

const wrongToken: ClaudeCheck = {
  id: "wrong-token",
  title: "without the token the upgrade is refused",
  requirements: ["CS2"],
  lane: "wire",
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
};

const webPage: ClaudeCheck = {
  id: "web-page",
  title: "an upgrade from a web page is refused",
  requirements: ["CS3"],
  lane: "wire",
  async run({ knock, target }) {
    const problems: string[] = [];
    for (const origin of ["https://example.com", `http://127.0.0.1:${target.port}`, "null"]) {
      const { status } = await knock({ ...cliHeaders, [authorization]: target.token, origin });
      if (status < 400) problems.push(`with the Origin ${origin} the upgrade was answered ${status}`);
    }
    demandNone(problems);
  },
};

const foreignHost: ClaudeCheck = {
  id: "foreign-host",
  title: "an upgrade for another host is refused",
  requirements: ["CS4"],
  lane: "wire",
  async run({ knock, target }) {
    const host = `example.com:${target.port}`;
    const { status } = await knock({ ...cliHeaders, [authorization]: target.token, host });
    demand(status >= 400, `with the Host ${host} the upgrade was answered ${status}`);
  },
};

export const severalClis: ClaudeCheck = {
  id: "several-clis",
  title: "several CLIs are answered at once, with the same request ids",
  requirements: ["CS5"],
  lane: "wire",
  async run({ connect, limits }) {
    const clis = [await connect(), await connect(), await connect()];
    await Promise.all(clis.map((cli) => cli.texts("closeAllDiffTabs", {}, limits.answer)));
    for (const cli of clis) await cli.list();
  },
};

const garbage: ClaudeCheck = {
  id: "garbage",
  title: "what is no message harms nobody",
  requirements: ["CS6"],
  lane: "wire",
  async run({ connect }) {
    const [good, bad] = [await connect(), await connect()];
    for (const text of [
      "",
      "{",
      "[]",
      "null",
      "7",
      '{"jsonrpc":"1.0"}',
      '{"jsonrpc":"2.0","id":{},"method":7}',
    ])
      bad.sendText(text);
    await good.list();
    await connect();
  },
};

export const socketChecks: readonly ClaudeCheck[] = [
  handshake,
  wrongToken,
  webPage,
  foreignHost,
  severalClis,
  garbage,
];

const initialize: ClaudeCheck = {
  id: "initialize",
  title: "initialize is answered for every version of the CLI",
  requirements: ["CM1"],
  lane: "wire",
  async run({ newCli }) {
    const problems: string[] = [];
    for (const version of ["2025-11-25", "2025-06-18"]) {
      const cli = newCli();
      await cli.open();
      const { protocolVersion, serverInfo, capabilities } = await cli.greet(version);
      if (protocolVersion !== version) problems.push(`asked for ${version}, it answered ${protocolVersion}`);
      const isNamed =
        isJson(serverInfo) && typeof serverInfo.name === "string" && typeof serverInfo.version === "string";
      if (!isNamed) problems.push("serverInfo has no name and version");
      if (!isJson(capabilities) || !isJson(capabilities.tools)) problems.push("there is no capability tools");
    }
    demandNone(problems);
  },
};

const toolList: ClaudeCheck = {
  id: "tool-list",
  title: "the tools that the CLI calls are listed",
  requirements: ["CM2"],
  lane: "wire",
  async run({ connect }) {
    const names = (await (await connect()).list()).map(({ name }) => name);
    const wanted = ["openDiff", "close_tab", "closeAllDiffTabs", "getDiagnostics"];
    demandNone(wanted.filter((name) => !names.includes(name)).map((name) => `${name} is not listed`));
  },
};

const plainRequests: ClaudeCheck = {
  id: "plain-requests",
  title: "ping and unknown methods are answered as the protocols say",
  requirements: ["CM3"],
  lane: "wire",
  async run({ connect }) {
    const cli = await connect();
    resultOf(await cli.request("ping").answer(), "ping");
    const { error } = await cli.request("no/such/method").answer();
    const code = isJson(error) ? error.code : undefined;
    demand(code === -32601, `an unknown method was answered with the code ${code ?? "none"}, not -32601`);
  },
};

const unknownTool: ClaudeCheck = {
  id: "unknown-tool",
  title: "an unknown tool is answered with an error",
  requirements: ["CM4"],
  lane: "wire",
  async run({ connect }) {
    const { error, result } = await (await connect()).call("noSuchTool", {}).answer();
    const isError = isJson(error) || (isJson(result) && result.isError === true);
    demand(isError, "an unknown tool was answered as if it had worked");
  },
};

const noAnswers: ClaudeCheck = {
  id: "no-answers",
  title: "notifications are not answered",
  requirements: ["CM5"],
  lane: "wire",
  async run({ connect, limits }) {
    const cli = await connect();
    cli.notify("ide_connected", { pid: process.pid });
    cli.notify("no/such/notification");
    await delay(limits.quiet);
    demand(cli.stray.length === 0, `there came ${JSON.stringify(cli.stray[0])}, which answers nothing`);
  },
};

export const messagesChecks: readonly ClaudeCheck[] = [
  initialize,
  toolList,
  plainRequests,
  unknownTool,
  noAnswers,
];
