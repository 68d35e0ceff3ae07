import { setTimeout as delay } from "node:timers/promises";
import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";
import { byUser, demand, demandNone, resultOf, until } from "../../check.ts";
import { type Cli, currentVersion } from "../cli.ts";
import { ask, type CopilotCheck, closeDiff, decisionOf, proposeAndShow, said } from "./means.ts";

/** The arguments of the tools that the CLI calls. */
const tools: Readonly<Record<string, readonly string[]>> = {
  open_diff: ["original_file_path", "new_file_contents", "tab_name"],
  close_diff: ["tab_name"],
  get_selection: [],
  get_diagnostics: ["uri"],
  update_session_name: ["name"],
};

/** Milliseconds after which a CLI opens a broken stream again. */
const reopening = 1000;

const statusOfList = async (cli: Cli) =>
  (await cli.post({ jsonrpc: "2.0", id: "again", method: "tools/list" })).status;

export const handshake: CopilotCheck = {
  id: "initialize",
  title: "initialize is answered as the CLI expects",
  requirements: ["PI2"],
  lane: "wire",
  async run({ newCli }) {
    const { protocolVersion, serverInfo, capabilities } = await newCli().initialize();
    const isNamed =
      isJson(serverInfo) && typeof serverInfo.name === "string" && typeof serverInfo.version === "string";
    demandNone([
      ...(protocolVersion === currentVersion
        ? []
        : [`asked for ${currentVersion}, it answered ${protocolVersion}`]),
      ...(isNamed ? [] : ["serverInfo has no name and version"]),
      ...(isJson(capabilities) && isJson(capabilities.tools) ? [] : ["there is no capability tools"]),
    ]);
  },
};

export const sessionChecks: readonly CopilotCheck[] = [
  {
    id: "later-protocol",
    title: "the later protocol is refused, and the CLI goes on with the one that is served",
    requirements: ["PI1"],
    lane: "wire",
    async run({ newCli }) {
      const cli = newCli();
      const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
      const { status, body } = await cli.post({
        jsonrpc: "2.0",
        id: 0,
        method: "server/discover",
        params: { _meta },
      });
      const answer = parseJson(body);
      const isError = isJson(answer) && isJson(answer.error);
      demand(
        status !== 401 && (status >= 400 || isError),
        `server/discover was answered ${status} ${body.slice(0, 200)}`,
      );
      await cli.greet();
    },
  },
  handshake,
  {
    id: "session-id",
    title: "the session has the id of the CLI's own",
    requirements: ["PI3"],
    lane: "wire",
    async run({ newCli }) {
      const cli = newCli();
      await cli.initialize();
      demand(cli.id === cli.ownId, `X-Copilot-Session-Id was ${cli.ownId}, and Mcp-Session-Id is ${cli.id}`);
    },
  },
  {
    id: "same-session",
    title: "a CLI that connects again with the same id replaces its first session",
    requirements: ["PI4"],
    lane: "proposals",
    async run(means) {
      const { newCli, limits, hasEditor, editor } = means;
      const { cli, path } = await ask(means);
      const again = newCli(undefined, cli.ownId);
      await again.greet();
      await until(() => cli.stream.end !== undefined, limits.event);
      demand(cli.stream.end !== undefined, "the stream of the first session is still open");
      await again.list();
      if (!hasEditor) return;
      await until(async () => !(await editor.shows(path)), limits.event);
      demand(!(await editor.shows(path)), "the diff of the first session is still shown");
    },
  },
  {
    id: "initialized",
    title: "a notification is answered 202, without a body",
    requirements: ["PI5"],
    lane: "wire",
    async run({ newCli }) {
      const cli = newCli();
      await cli.initialize();
      const { status, body } = await cli.post({ jsonrpc: "2.0", method: "notifications/initialized" });
      demand(status === 202 && body === "", `it was answered ${status} ${JSON.stringify(body)}`);
    },
  },
  {
    id: "stream-reopens",
    title: "a stream that breaks disturbs no diff, and can be opened again",
    requirements: ["PI6"],
    lane: "proposals",
    async run(means) {
      const { cli, path, proposal } = await ask(means);
      cli.stream.cut();
      await delay(reopening);
      await cli.openStream();
      await delay(means.limits.quiet);
      const { call } = proposal;
      demand(call.answers.length === 0 && call.failure === undefined, `the waiting call: ${said(call)}`);
      if (means.hasEditor) demand(await means.editor.shows(path), "the diff is gone");
      await closeDiff(cli, proposal.tab);
      await decisionOf(proposal, means.limits.event);
    },
  },
  {
    id: "lost-stream",
    title: "the diffs of a CLI whose stream stays away are taken away",
    requirements: ["PI7"],
    ...byUser,
    async run(means) {
      const { cli, path } = await ask(means);
      cli.stream.cut();
      await until(async () => !(await means.editor.shows(path)), means.limits.reaping);
      demand(!(await means.editor.shows(path)), "the diff is still shown though its stream stays away");
    },
  },
  {
    id: "goodbye",
    title: "DELETE ends the session and its diffs",
    requirements: ["PI8"],
    lane: "proposals",
    async run(means) {
      const cli = await means.connect();
      const { path } = await proposeAndShow(means, cli, await means.write("goodbye.txt", "one\ntwo\n"));
      const { status } = await cli.leave();
      demand(status >= 200 && status < 300, `DELETE was answered ${status}`);
      const after = await statusOfList(cli);
      demand(after === 404, `after DELETE a request was answered ${after}, not 404`);
      if (!means.hasEditor) return;
      await until(async () => !(await means.editor.shows(path)), means.limits.event);
      demand(!(await means.editor.shows(path)), "the diff is still shown after DELETE");
    },
  },
  {
    id: "unknown-session",
    title: "a request of no session is refused so that the CLI starts a new one",
    requirements: ["PI9"],
    lane: "wire",
    async run({ newCli }) {
      const [none, unknown] = [newCli(), newCli()];
      unknown.id = "00000000-0000-4000-8000-000000000000";
      const [without, other] = [await statusOfList(none), await statusOfList(unknown)];
      demandNone([
        ...(without === 400 ? [] : [`without a session a request was answered ${without}, not 400`]),
        ...(other === 404 ? [] : [`with an unknown session a request was answered ${other}, not 404`]),
      ]);
    },
  },
  {
    id: "tool-list",
    title: "the tools that the CLI calls are listed with their arguments",
    requirements: ["PI10"],
    lane: "wire",
    async run({ connect }) {
      const listed = await (await connect()).list();
      const problems = Object.entries(tools).flatMap(([name, wanted]) => {
        const tool = listed.find((one) => one.name === name);
        return tool ? problemsOf(tool, wanted) : [`${name} is not listed`];
      });
      demandNone(problems);
    },
  },
  {
    id: "plain-requests",
    title: "ping and unknown methods are answered as the protocols say",
    requirements: ["PI11"],
    lane: "wire",
    async run({ connect }) {
      const cli = await connect();
      resultOf(await cli.request("ping", {}), "ping");
      const { error } = await cli.request("no/such/method", {});
      const code = isJson(error) ? error.code : undefined;
      demand(code === -32601, `an unknown method was answered with the code ${code ?? "none"}, not -32601`);
    },
  },
  {
    id: "unknown-tool",
    title: "an unknown tool is answered with an error",
    requirements: ["PI12"],
    lane: "wire",
    async run({ connect }) {
      const params = { name: "no_such_tool", arguments: {} };
      const { error, result } = await (await connect()).request("tools/call", params);
      const isError = isJson(error) || (isJson(result) && result.isError === true);
      demand(isError, "an unknown tool was answered as if it had worked");
    },
  },
  {
    id: "session-name",
    title: "the name of the conversation is taken",
    requirements: ["PI13"],
    lane: "wire",
    async run({ connect }) {
      const cli = await connect();
      for (const name of ["hello there", "", "😀".repeat(5000)]) {
        const answer = await cli.call("update_session_name", { name });
        demand(isJson(answer) && answer.success === true, `it was answered ${JSON.stringify(answer)}`);
      }
    },
  },
];

/** @param wanted names of arguments, each a text */
function problemsOf({ name, inputSchema }: Json, wanted: readonly string[]): string[] {
  const properties = isJson(inputSchema) ? inputSchema.properties : undefined;
  const isText = (argument: string) => {
    const schema = isJson(properties) ? properties[argument] : undefined;
    return isJson(schema) && schema.type === "string";
  };
  return wanted
    .filter((argument) => !isText(argument))
    .map((argument) => `${name} does not list the text ${argument}`);
}
