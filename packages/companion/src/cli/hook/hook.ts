import { readSync, writeSync } from "node:fs";
import path from "node:path";
import { agentHooks } from "../../agents/agent-hooks.ts";
import type { AgentHooks } from "../../agents/hooks.ts";
import type { Content } from "../../core/written/entries.ts";
import { Feedback, toConversation } from "../../core/written/feedback.ts";
import { lookInto } from "../../core/written/look-into.ts";
import { type AlwaysAsked, ReviewModes } from "../../core/written/review-mode.ts";
import { WrittenLog } from "../../core/written/written-log.ts";
import { realPathOf } from "../../files/workspace-path.ts";
import { codeOf } from "../../system/error-message.ts";
import { type Host, systemHost, writtenFolder } from "../../system/host.ts";
import type { JsonObject } from "../../system/json.ts";
import { readUserConfig } from "../user-config.ts";
import { type Call, parseCall, toPermit } from "./call.ts";
import { placeOf, requestSnapshot } from "./place.ts";
import { isAmong, isSecret } from "./secrets.ts";

/** Bytes of the longest call that is read. */
const maxCallBytes = 16 * 1024 * 1024;

/** Milliseconds after a decision in the editor within which the CLI asks in its terminal. */
const askingTime = 60_000;

/** UTF-16 units of a turn's title. */
const maxTitle = 120;

/**
 * Writes down what an agent is about to write, and what it has written. Says what the agent is to know, which is mostly
 * nothing, and never fails: whatever happens to us, the agent goes on.
 * @param words the agent's name, and the event where its calls do not say it
 */
export async function runHook([agent = "", event]: readonly string[]): Promise<void> {
  try {
    const hooks = agentHooks[agent];
    const call = hooks && parseCall(hooks, JSON.parse(readCall()), event);
    const answer = hooks && call && (await serve(agent, hooks, call, systemHost()));
    if (answer) writeSync(1, JSON.stringify(answer));
  } catch {
    // No word to anybody: a CLI may take it for a decision.
  }
}

/** Milliseconds after which a snapshot ends, whatever it waits for. */
const maxSnapshotTime = 300_000;

/** What a hook has started: says nothing either. @param folder in which a command runs, or may soon */
export async function runSnapshot(folder: string): Promise<void> {
  process.umask(0o077);
  setTimeout(() => process.exit(), maxSnapshotTime).unref();
  const { takeSnapshots } = await import("./snapshots.ts");
  await takeSnapshots(path.resolve(folder), systemHost()).catch(() => {});
}

/** At once and without a stream, which takes longer to load. @throws Error when it is too long */
function readCall(): string {
  const parts: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const part = Buffer.allocUnsafe(64 * 1024);
    const length = readPart(part);
    if (length === 0) return Buffer.concat(parts).toString("utf8");
    bytes += length;
    if (bytes > maxCallBytes) throw new Error("the call is too long");
    parts.push(part.subarray(0, length));
  }
}

function readPart(part: Buffer): number {
  for (;;) {
    try {
      return readSync(0, part);
    } catch (error) {
      // Windows says so at the end of a pipe.
      if (codeOf(error) === "EOF") return 0;
      if (codeOf(error) !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** @returns what the CLI is to read, if anything */
async function serve(
  agent: string,
  hooks: AgentHooks,
  call: Call,
  host: Host,
): Promise<JsonObject | undefined> {
  const { folder, session, meaning, event, paths, isSubagent } = call;
  const feedback = new Feedback(writtenFolder(host));
  const { ask, toContext } = hooks;
  const reviewed = new ReviewModes(host).in(folder);
  const { mode } = reviewed.find(agent);
  const { always } = reviewed;
  if (mode === "off" && always.length === 0) return undefined;
  // Of another call of the same tool, none may be left.
  const hold = "hold" in ask && /asks|before/.test(meaning) ? ask.hold : undefined;
  const permittedAt = hold && Number(feedback.take(toPermit(agent, call)));
  if (meaning === "asks" && "answer" in ask)
    return ask.deny && (await import("./rarely.ts")).hearDecision(agent, ask.deny, call, host);
  if (meaning === "asks")
    return permittedAt && Date.now() - permittedAt < askingTime ? hold?.permit : undefined;
  const isWrite = meaning === "before-tool" && paths.length > 0;
  const isAsked = isWrite && (mode === "before" || (await writesOneOf(always, call, host)));
  // Where nothing can be recorded, the user is asked all the same.
  const note = async (isBeforeAsking = false) => {
    if (mode !== "off") await record(agent, call, host, isBeforeAsking).catch(() => {});
  };
  if (isAsked) {
    await note(true);
    const { askUser } = await import("./rarely.ts");
    const asked = await askUser(agent, ask, call, host).catch(() => undefined);
    // What the user has saved while looking at the change, or saves in its place, is no agent's.
    if (!asked?.writesNothing) await note();
    return asked?.answer;
  }
  await note();
  const answer = isSubagent ? undefined : toContext?.(event);
  const text = answer && feedback.take(toConversation(agent, session));
  return text === undefined ? undefined : answer?.(text);
}

async function writesOneOf(
  always: readonly AlwaysAsked[],
  { folder, paths }: Call,
  host: Host,
): Promise<boolean> {
  const files = paths.map((name) => path.resolve(folder, name));
  for (const { of, patterns } of always)
    for (const file of files) if (await isAmong(patterns, file, of, { host })) return true;
  return false;
}

/** @param isBeforeAsking whether the call may wait for the user, and only what was written before it is known */
async function record(agent: string, call: Call, host: Host, isBeforeAsking: boolean): Promise<void> {
  const { meaning, session, turn, folder, prompt, paths, command } = call;
  const log = new WrittenLog(writtenFolder(host));
  const head = { at: Date.now(), agent, session, ...(turn !== undefined && { turn }) };
  const look = async (names: readonly string[]) => {
    const files: Record<string, Content> = {};
    for (const file of names) files[file] = await lookInto(file, log, () => isSecret(file, folder, host));
    return files;
  };
  // Some CLIs call us only before a tool: what has it written?
  const finish = async (isMeant: (file: string) => boolean) => {
    for (const [file, named = turn] of log.unfinished(agent, session)) {
      const of = named === undefined ? {} : { turn: named };
      if (isMeant(file)) log.append({ ...head, ...of, kind: "after", files: await look([file]) });
    }
  };
  switch (meaning) {
    case "turn-start": {
      if (prompt === undefined) return;
      const title = readUserConfig(host).turnTitles ? toTitle(prompt) : "";
      log.append({ ...head, kind: meaning, title, folder });
      return startSnapshot(folder, log);
    }
    case "before-tool":
    case "after-tool": {
      const files = await Promise.all(paths.map((name) => realPathOf(path.resolve(folder, name))));
      if (isBeforeAsking) return finish((file) => files.includes(file));
      const kind = meaning === "before-tool" ? "before" : "after";
      if (files.length > 0) log.append({ ...head, kind, files: await look(files) });
      if (command === undefined) return;
      log.append({ ...head, kind: kind === "before" ? "command-start" : "command-end", command, folder });
      if (kind === "after") await startSnapshot(folder, log);
      return;
    }
    case "turn-end":
    case "session-end":
      await finish(() => true);
      log.append({ ...head, kind: meaning });
      if (meaning === "session-end") (await import("./rarely.ts")).prune(log);
  }
}

/** In a process that outlives us and the CLI: nobody waits for it. */
async function startSnapshot(folder: string, log: WrittenLog): Promise<void> {
  requestSnapshot(await placeOf(folder, log));
  const { spawn } = process.getBuiltinModule("node:child_process");
  const [, program = ""] = process.argv;
  // Not in the user's folder, which Windows could not remove then.
  const options = { detached: true, stdio: "ignore", windowsHide: true, cwd: path.dirname(program) } as const;
  spawn(process.execPath, [program, "hook", "--snapshot", folder], options)
    .on("error", () => {})
    .unref();
}

const toTitle = (prompt: string): string => (/\S.*/.exec(prompt)?.[0] ?? "").slice(0, maxTitle).trimEnd();
