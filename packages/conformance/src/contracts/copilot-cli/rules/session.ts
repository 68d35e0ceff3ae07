import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../until.ts";
import { isJson, parseJson } from "../../../wire/json-rpc.ts";
import { demand, demandNone, quote, unless } from "../../check.ts";
import { resulting, withSchema } from "../../fault.ts";
import { initialized, statusOfList } from "../../http-checks.ts";
import { problemsOfIntroduction, problemsOfTools } from "../../plain.ts";
import { demandGone, isOver, said } from "../../question.ts";
import { mcp, observed, recommended } from "../../requirement.ts";
import { reporting } from "../faults.ts";
import {
  ask,
  type CopilotGroup,
  callTool,
  checks,
  closeDiff,
  currentVersion,
  decisionOf,
  ownIdOf,
  plain,
  proposeAndShow,
} from "./means.ts";

/** The arguments of the tools that the CLI calls. */
const calledTools: Readonly<Record<string, readonly string[]>> = {
  open_diff: ["original_file_path", "new_file_contents", "tab_name"],
  close_diff: ["tab_name"],
  get_selection: [],
  get_diagnostics: ["uri"],
  update_session_name: ["name"],
};

/** Milliseconds after which a CLI opens a broken stream again. */
const reopening = 1000;

export const sessionRules: CopilotGroup = {
  PI1: {
    MUST: "`server/discover` is refused with an HTTP status from 400 that is not 401, or with a JSON-RPC error.",
    sources: observed(
      "It is the CLI's first request. Refused, it sends `initialize`. A 401 ends its attempt.",
    ),
    check: "later-protocol",
    async run({ newCli }) {
      const cli = newCli();
      const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
      const discover = { jsonrpc: "2.0", id: 0, method: "server/discover", params: { _meta } };
      const { status, body } = await cli.post(discover);
      const answer = parseJson(body);
      const isError = isJson(answer) && isJson(answer.error);
      demand(
        status !== 401 && (status >= 400 || isError),
        `server/discover was answered ${status} ${body.slice(0, 200)}`,
      );
      await cli.greet();
    },
    fault: {
      status: (status, { asked }) => (asked.method === "server/discover" ? 401 : status),
      says: /server\/discover was answered 401/,
    },
  },
  PI2: {
    MUST: "`initialize` is answered with the version that was asked for, `serverInfo`, and the capability `tools`.",
    sources: observed("The CLI asks for 2025-11-25."),
    check: "initialize",
    async run({ newCli }) {
      demandNone(problemsOfIntroduction(await newCli().initialize(), currentVersion));
    },
    fault: {
      down: resulting("initialize", () => ({ protocolVersion: "2024-11-05" })),
      says: /protocolVersion is "2024-11-05", not "2025-11-25"/,
    },
  },
  PI3: {
    MUST: "The answer of `initialize` has the header `Mcp-Session-Id`, with the value of `X-Copilot-Session-Id`.",
    sources: observed(
      "The CLI sends it back from then on. One id for both shows which CLI a request is from.",
    ),
    check: "session-id",
    async run({ newCli }) {
      const cli = newCli();
      await cli.initialize();
      const own = ownIdOf(cli);
      demand(cli.id === own, `X-Copilot-Session-Id was ${own}, and Mcp-Session-Id is ${cli.id}`);
    },
    fault: {
      replyHeaders: ({ "mcp-session-id": id, ...headers }) =>
        id === undefined ? headers : { ...headers, "mcp-session-id": `${id}-own` },
      head: ({ headers: { "mcp-session-id": id, ...headers } }) =>
        id === undefined ? headers : { ...headers, "mcp-session-id": String(id).replace("-own", "") },
      says: /X-Copilot-Session-Id was (.*), and Mcp-Session-Id is \1-own/,
    },
  },
  PI4: {
    MUST: "A second `initialize` with the same `X-Copilot-Session-Id` replaces the first session.",
    sources: observed(
      "The id comes again after a lost connection, and with `--continue`. Refused, the CLI tries again some times and gives up.",
    ),
    check: "same-session",
    lane: "proposals",
    async run(means) {
      const { newCli, limits } = means;
      const { cli, path } = await ask(means);
      const again = newCli(undefined, ownIdOf(cli));
      await again.greet();
      await until(() => cli.stream.end !== undefined, limits.event);
      demand(cli.stream.end !== undefined, "the stream of the first session is still open");
      await again.list();
      await demandGone(means, path, "after its CLI came again");
    },
    fault: {
      status(status, { asked }, { memory }) {
        if (asked.method !== "initialize") return status;
        const isFirst = !memory.has("greeted");
        memory.set("greeted", true);
        return isFirst ? status : 409;
      },
      says: /initialize was answered 409/,
    },
  },
  PI5: {
    MUST: "A notification is answered 202, without a body.",
    sources: mcp("transports", "An accepted notification is answered 202 Accepted with no body."),
    ...initialized,
  },
  PI6: {
    MUST: "The stream may break: the session and its waiting calls are still there when the CLI opens it again after a second.",
    sources: observed("The CLI opens a broken stream again after 1 s."),
    check: "stream-reopens",
    lane: "proposals",
    async run(means) {
      const { cli, path, proposal } = await ask(means);
      cli.stream.cut();
      await delay(reopening);
      await cli.openStream();
      await delay(means.limits.quiet);
      const { call } = proposal;
      demand(!isOver(call), `the waiting call: ${said(call)}`);
      if (means.hasEditor) demand(await means.editor.shows(path), "the diff is gone");
      await closeDiff(cli, proposal.tab);
      await decisionOf(proposal, means.limits.event);
    },
    fault: {
      status: (status, { method }, { opened }) => (method === "GET" && opened > 1 ? 404 : status),
      says: /GET \/mcp was answered 404/,
    },
  },
  PI7: {
    SHOULD: "A session whose stream stays away for 3 seconds is over, and its diffs are taken away.",
    sources: recommended("A CLI that has lost its companion closes its stream alone."),
    check: "lost-stream",
    ...checks.gone((cli) => cli.stream.cut(), "though its stream stays away"),
  },
  PI8: {
    MUST: "`DELETE` ends the session and its diffs.",
    sources: [
      observed("The CLI sends it when it exits."),
      mcp("transports", "A request of a session that is over is answered 404."),
    ],
    check: "goodbye",
    lane: "proposals",
    async run(means) {
      const cli = await means.connect();
      const { path } = await proposeAndShow(means, cli, await means.write("goodbye.txt", "one\ntwo\n"));
      const { status } = await cli.leave();
      demand(status >= 200 && status < 300, `DELETE was answered ${status}`);
      const after = await statusOfList(cli);
      demand(after === 404, `after DELETE a request was answered ${after}, not 404`);
      await demandGone(means, path, "after DELETE");
    },
    fault: { keepsOpen: true, says: /after DELETE a request was answered 200, not 404/ },
  },
  PI9: {
    MUST: "A request of an unknown session is answered 404, and one without a session 400.",
    sources: mcp("transports", "The client then starts a new session."),
    check: "unknown-session",
    async run({ newCli }) {
      const [none, unknown] = [newCli(), newCli()];
      unknown.id = "00000000-0000-4000-8000-000000000000";
      const [without, other] = [await statusOfList(none), await statusOfList(unknown)];
      demandNone([
        ...unless(without === 400, `without a session a request was answered ${without}, not 400`),
        ...unless(other === 404, `with an unknown session a request was answered ${other}, not 404`),
      ]);
    },
    fault: {
      status: (status) => (status === 400 ? 404 : status),
      says: /without a session a request was answered 404, not 400/,
    },
  },
  PI10: {
    MUST: "`open_diff`, `close_diff`, `get_selection`, `get_diagnostics` and `update_session_name` are listed, each with its arguments as texts.",
    sources: observed("The CLI calls these. Its model sees `get_selection` and `get_diagnostics`."),
    check: "tool-list",
    async run({ connect }) {
      demandNone(problemsOfTools(await (await connect()).list(), calledTools));
    },
    fault: {
      down: withSchema("close_diff", {}),
      says: /^close_diff does not list the text tab_name$/,
    },
  },
  PI11: {
    MUST: "`ping` is answered, and an unknown method with the error -32601.",
    sources: mcp("ping", "The receiver must respond promptly with an empty response."),
    ...plain.requests,
  },
  PI12: {
    SHOULD: "An unknown tool is answered with an error.",
    sources: mcp("tools", "Unknown tools are protocol errors."),
    ...plain.unknownTool,
  },
  PI13: {
    SHOULD: "`update_session_name` is answered `{success: true}`.",
    sources: observed("The CLI calls it for a conversation with a name, and whenever that changes."),
    check: "session-name",
    async run({ connect }) {
      const cli = await connect();
      for (const name of ["hello there", "", "😀".repeat(5000)]) {
        const answer = await callTool(cli, "update_session_name", { name });
        demand(isJson(answer) && answer.success === true, `it was answered ${quote(answer)}`);
      }
    },
    fault: { down: reporting("update_session_name", () => ({})), says: /it was answered \{\}/ },
  },
};
