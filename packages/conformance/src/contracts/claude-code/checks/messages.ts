import { setTimeout as delay } from "node:timers/promises";
import { isJson } from "../../../wire/json-rpc.ts";
import { demand, demandNone, resultOf } from "../../check.ts";
import type { ClaudeCheck } from "./means.ts";

export const initialize: ClaudeCheck = {
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

export const toolList: ClaudeCheck = {
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

export const plainRequests: ClaudeCheck = {
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

export const unknownTool: ClaudeCheck = {
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

export const noAnswers: ClaudeCheck = {
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
