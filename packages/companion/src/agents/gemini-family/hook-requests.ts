import type { IncomingMessage, ServerResponse } from "node:http";
import { hasTerminal } from "../../system/processes/process-details.ts";
import { lineageOf, type ProcessInfo, readProcessTable } from "../../system/processes/process-table.ts";
import { httpError, replyJson } from "../../transport/reply.ts";
import type { Core } from "../family.ts";
import type { RunningCli } from "../hooks.ts";
import type { FamilyAgent } from "./quirks.ts";

/** One request from an agent that the guard has let in. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly agent: FamilyAgent;
}

/**
 * Answers hooks of ours.
 * - `GET /connected?pid=N`: the CLI that runs a process, if it is connected here or named `program`.
 * - `GET /decision?pid=N&path=P`, next to a question: what its agent is to read of the decision, once there is one.
 * - `GET /went-on?agent=A&files=F`, of one that waits in its agent's place: the agent has ended its turn.
 * @throws HttpError for anybody else
 */
export async function serveHook(
  path: "/connected" | "/decision" | "/went-on",
  { request, response, agent }: Exchange,
  { sessions, events }: Core,
): Promise<void> {
  if (!agent.isOwn) throw httpError(404, "This is for our own commands");
  const { searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
  const said = (name: string) => searchParams.get(name) ?? "";
  if (path === "/went-on") {
    const message = `${said("agent")} has ended its turn, and writes ${said("files")} once you accept it.`;
    events.emit({ kind: "warning", message });
    return replyJson(response, 200, {});
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const processes = await sessions.processes();
  const cli = await findConnected(Number(said("pid")), processes, searchParams.get("program"));
  if (path === "/connected") return replyJson(response, 200, { ...cli });
  const heard = cli && (await sessions.hearDecision(cli.pid, said("path"), gone.signal));
  if (heard) response.once("finish", heard.onDelivered);
  replyJson(response, 200, { ...heard });
}

/**
 * The CLI that runs a process.
 * @param processes of CLIs that are connected @param program the name of one that keeps no connection
 */
async function findConnected(
  pid: number,
  processes: readonly number[],
  program: string | null,
): Promise<RunningCli | undefined> {
  if (processes.length === 0 && program === null) return undefined; // a table of all processes costs time
  const lineage = lineageOf(await readProcessTable(), pid);
  const isCli = ({ pid, name }: ProcessInfo) =>
    processes.includes(pid) || name.replace(/\.exe$/i, "") === program;
  const cli = lineage.find(isCli);
  return cli && { ...cli, hasTerminal: (await hasTerminal(cli.pid)) !== false };
}
