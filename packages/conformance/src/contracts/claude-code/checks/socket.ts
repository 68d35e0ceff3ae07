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

export const wrongToken: ClaudeCheck = {
  id: "wrong-token",
  title: "without the token the upgrade is refused",
  requirements: ["CS2"],
  lane: "wire",
  async run({ knock, target }) {
    const tokens = { none: undefined, another: `${"x".repeat(target.token.length)}`, empty: "" };
    const problems: string[] = [];
    for (const [name, token] of Object.entries(tokens)) {
      const { status } = await knock({
        ...cliHeaders,
        ...(token !== undefined && { [authorization]: token }),
      });
      if (status !== 401) problems.push(`with ${name} token the upgrade was answered ${status}, not 401`);
    }
    demandNone(problems);
  },
};

export const webPage: ClaudeCheck = {
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

export const foreignHost: ClaudeCheck = {
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
    for (const cli of clis) resultOf(await cli.request("ping").answer(), "ping");
  },
};

export const garbage: ClaudeCheck = {
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
    resultOf(await good.request("ping").answer(), "ping");
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
