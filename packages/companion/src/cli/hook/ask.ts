import path from "node:path";
import { ownCommands } from "../../agents/agents.ts";
import { findLive } from "../../agents/discovery/find-companions.ts";
import type { Asking, RunningCli } from "../../agents/hooks.ts";
import { Feedback, toConversation } from "../../core/written/feedback.ts";
import { holds } from "../../files/workspace-path.ts";
import { type Host, writtenFolder } from "../../system/host.ts";
import { isObject, type JsonObject, tryParseJson } from "../../system/json.ts";
import { createLoopbackFetch, type LoopbackFetch } from "../../transport/loopback.ts";
import type { Call } from "./call.ts";
import type { Asked } from "./hold.ts";

/** Milliseconds that companions have for an answer: an agent waits. */
const patience = 2000;

/**
 * Has the user decide before a tool writes, where a companion that runs and serves the CLI's folder knows the CLI.
 * @returns what the CLI is answered; undefined where it goes on as its mode says
 */
export async function askUser(
  agent: string,
  asking: Asking,
  call: Call,
  host: Host,
): Promise<Asked | undefined> {
  const program = "hold" in asking ? asking.hold.program : undefined;
  const found = await findCli(call.folder, program, host);
  if (!found || !asking.isAttended(found.cli, host.env, call.mode)) return undefined;
  if ("answer" in asking) return asking;
  const { hold } = await import("./hold.ts");
  const fetch = createLoopbackFetch();
  const ask = (question: string) => request(fetch, found.companion, question).finally(() => fetch.close());
  return hold(call, asking.hold, { ...found, agent, host, ask });
}

/**
 * Waits next to the CLI's question until its user decides in the editor: what the user says of that the agent reads at
 * once, and goes on.
 * @returns the answer to the question; undefined where there is nothing to say
 */
export async function hearDecision(
  agent: string,
  deny: (message: string) => JsonObject,
  { folder, session, paths: [name = ""] }: Call,
  host: Host,
): Promise<JsonObject | undefined> {
  const found = await findCli(folder, undefined, host);
  if (!found) return undefined;
  const file = encodeURIComponent(path.resolve(folder, name));
  const fetch = createLoopbackFetch();
  const heard = await request(fetch, found.companion, `/decision?pid=${process.pid}&path=${file}`);
  fetch.close();
  if (!isObject(heard) || typeof heard.message !== "string") return undefined;
  if (heard.kind === "rejected") return deny(heard.message);
  // The hook after the tool, which begins once the CLI has written, brings it.
  new Feedback(writtenFolder(host)).add(toConversation(agent, session), "accepted", heard.message);
  return undefined;
}

/** The companion itself says so: what one has left that was killed makes no CLI wait for nobody. */
async function findCli(folder: string, program: string | undefined, host: Host) {
  const serving = (await findLive(host, ownCommands)).filter(({ roots }) => holds(roots, folder));
  const fetch = createLoopbackFetch();
  const signal = AbortSignal.timeout(patience);
  const question = `/connected?pid=${process.pid}${program === undefined ? "" : `&program=${program}`}`;
  const findIn = async ({ port, token = "" }: (typeof serving)[number]) => {
    const cli = await request(fetch, { port, token }, question, signal);
    return isCli(cli) ? { cli, companion: { port, token } } : undefined;
  };
  // Companions that hang or are of an earlier version say nothing.
  const answers = await Promise.all(serving.map((one) => findIn(one).catch(() => undefined)));
  fetch.close();
  return answers.find((one) => one !== undefined);
}

/** @returns what a companion answers; undefined where it refuses */
async function request(
  fetch: LoopbackFetch,
  { port, token }: { readonly port: number; readonly token: string },
  question: string,
  signal?: AbortSignal,
): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`http://127.0.0.1:${port}${question}`, { headers, ...(signal && { signal }) });
  return answer.ok ? tryParseJson(await answer.text()) : undefined;
}

const isCli = (value: unknown): value is RunningCli =>
  isObject(value) &&
  typeof value.pid === "number" &&
  typeof value.command === "string" &&
  typeof value.hasTerminal === "boolean";
