import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { displayNameOf } from "../../agents/agents.ts";
import type { Hold, RunningCli } from "../../agents/hooks.ts";
import { connectCompanion } from "../../client/companion-client.ts";
import type { DiffOutcome } from "../../client/pending-diffs.ts";
import { toMessage } from "../../core/comments/message.ts";
import { hookClient } from "../../core/sessions.ts";
import { Feedback, toConversation } from "../../core/written/feedback.ts";
import { WrittenLog } from "../../core/written/written-log.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import { decodeExactly } from "../../files/written-form.ts";
import { messageOf } from "../../system/error-message.ts";
import { type Host, writtenFolder } from "../../system/host.ts";
import type { JsonObject } from "../../system/json.ts";
import { pidIsAlive } from "../../system/liveness.ts";
import { version } from "../../version.ts";
import { writeAccepted } from "../diff/written-text.ts";
import { endSignals } from "../review/lifetime.ts";
import { type Call, toPermit } from "./call.ts";

/** The result of a question: the CLI's answer, and whether the CLI writes nothing then. */
export interface Asked {
  readonly answer?: JsonObject;
  readonly writesNothing?: boolean;
}

/** Who calls, and the companion that asks. */
export interface HeldFor {
  /** The agent's name as typed. */
  readonly agent: string;
  readonly cli: RunningCli;
  readonly companion: { readonly port: number; readonly token: string };
  readonly host: Host;
  /** Asks the companion by a path. */
  ask(question: string): Promise<unknown>;
}

/** A file as the call would write it, and what its user makes of that. */
interface Held {
  /** As the agent wrote it. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly bytes: Buffer | undefined;
  /** With line feeds alone, as `text` too; null where there is no file. */
  readonly before: string | null;
  readonly text: string | null;
  /** Undefined where nobody has decided. */
  readonly outcome?: DiffOutcome | undefined;
}

/** Milliseconds between two looks whether the CLI still runs: not every one tells its hooks that it ends. */
const pace = 1000;

/**
 * Shows what a call is about to write, a diff for each file, and waits for the user.
 * @returns what the CLI is answered; undefined where it goes on
 */
export async function hold(call: Call, rules: Hold, to: HeldFor): Promise<Asked | undefined> {
  const { session, input } = call;
  const proposed = attempt(call, rules);
  if (proposed.length === 0) return undefined;
  const log = new WrittenLog(writtenFolder(to.host));
  const hasEnded = () => call.turn !== undefined && log.hasEnded(to.agent, session, call.turn);
  const decided = await letDecide(proposed, rules, to, hasEnded);
  if (!decided) return { writesNothing: true };
  const accepted = decided.filter(isAsProposed);
  const edited = decided.filter((one) => one.outcome?.kind === "accepted" && !isAsProposed(one));
  const rejected = decided.filter(({ outcome }) => outcome?.kind === "rejected");
  const comments = decided.flatMap(({ path: filePath, outcome }) =>
    outcome && outcome.kind !== "closed" && outcome.comments
      ? [toMessage({ filePath, outcome: outcome.kind, comments: outcome.comments })]
      : [],
  );
  const feedback = new Feedback(log.folder);
  const tell = (...words: readonly string[]) => {
    if (words.length > 0) feedback.add(toConversation(to.agent, session), "decided", words.join("\n\n"));
  };
  const goOn = (...words: readonly string[]) => {
    if (rules.permit) feedback.add(toPermit(to.agent, call), "permit", String(Date.now()));
    tell(...words);
  };
  if (edited.length + rejected.length === 0) {
    if (accepted.length === decided.length) goOn(...comments);
    return undefined;
  }
  const [one] = edited;
  const changed =
    one && decided.length === 1 && !hasMixedEnds(one)
      ? rules.change?.(input, one.before ?? "", contentOf(one), lineEndOf(one))
      : undefined;
  if (one && changed) {
    goOn(`The user has changed your text of ${one.name} before it was written: read it again.`, ...comments);
    return { answer: changed };
  }
  const failures: string[] = [];
  for (const each of [...accepted, ...edited])
    await write(each, to.host).catch((error) => failures.push(messageOf(error)));
  const undecided = decided.filter(({ outcome }) => outcome === undefined);
  const list = (head: string, some: readonly Held[]) =>
    some.length === 0 ? [] : [`${head}: ${some.map(({ name }) => name).join(", ")}.`];
  const reason = [
    "The user has decided about this change in the editor.",
    ...list("Written as you proposed it", accepted),
    ...list("Written with the user's changes, so read it again", edited),
    ...list("Rejected, and not written", rejected),
    ...list("Not decided, and not written", undecided),
    ...[...failures, ...comments],
  ].join("\n");
  // Nobody is left to read an answer.
  if (hasEnded()) tell(reason);
  return { answer: rules.deny(reason), writesNothing: true };
}

/** @throws Error when the call will fail, or not all of it is text */
function attempt({ input, folder, paths }: Call, rules: Hold): readonly Held[] {
  const trial = mkdtempSync(path.join(tmpdir(), "ide-companion-held-"));
  const copyOf = (index: number) => path.join(trial, String(index));
  try {
    const files = paths.map((name, index) => {
      const file = path.resolve(folder, name);
      const bytes = readBytes(file);
      if (bytes) writeFileSync(copyOf(index), bytes);
      return { name, path: file, bytes, before: toText(bytes) };
    });
    rules.attempt(input, paths, trial);
    const tried = files.map((file, index) => ({ ...file, text: toText(readBytes(copyOf(index))) }));
    return tried.filter(({ before, text }) => before !== text);
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}

const readBytes = (file: string) => (existsSync(file) ? readFileSync(file) : undefined);

function toText(bytes: Buffer | undefined): string | null {
  const text = bytes && decodeExactly(bytes);
  if (bytes && text === undefined) throw new Error("its encoding is not known");
  return text === undefined ? null : withLineFeeds(text);
}

const withLineFeeds = (text: string) => text.replaceAll("\r\n", "\n");

const contentOf = ({ outcome }: Held) => (outcome?.kind === "accepted" ? outcome.content : "");

const lineEndOf = ({ bytes }: Held) => (String(bytes).includes("\r\n") ? "\r\n" : "\n");

/** A text with line feeds alone does not say which line of it ends how. */
function hasMixedEnds({ bytes }: Held): boolean {
  const text = String(bytes);
  return text.includes("\r\n") && /(?<!\r)\n/.test(text);
}

const isAsProposed = (one: Held): boolean =>
  one.outcome?.kind === "accepted" && withLineFeeds(one.outcome.content) === (one.text ?? "");

/** @returns undefined where the CLI has ended before anything was decided */
async function letDecide(
  proposed: readonly Held[],
  { seconds, toProgress }: Hold,
  { agent, cli, companion, ask }: HeldFor,
  hasEnded: () => boolean,
): Promise<readonly Held[] | undefined> {
  const over = new AbortController();
  let isGone = false;
  const end = (why?: NodeJS.Signals | "cli-ended") => {
    isGone ||= why === "cli-ended" || why === "SIGHUP"; // its terminal is closed
    over.abort();
  };
  for (const signal of endSignals) process.on(signal, end);
  const title = displayNameOf(agent);
  const names = proposed.map(({ name }) => path.basename(name)).join(", ");
  let isKnown = false;
  const look = () => {
    if (!pidIsAlive(cli.pid)) return end("cli-ended");
    if (isKnown || !hasEnded()) return;
    isKnown = true;
    ask(`/went-on?${new URLSearchParams({ agent: title, files: names })}`).catch(() => {}); // it is only said
  };
  setInterval(look, pace).unref();
  setTimeout(end, seconds * 1000).unref();
  const client = await connectCompanion({
    ...companion,
    clientInfo: { name: hookClient, title, version },
  });
  if (toProgress) writeSync(1, `${JSON.stringify(toProgress(`Review ${names} in your editor`))}\n`);
  const decide = async (one: Held): Promise<Held> => {
    const options = { signal: over.signal };
    // Whatever goes wrong, nobody has decided.
    const outcome = await client.openDiff(one.path, one.text ?? "", options).catch(() => undefined);
    return { ...one, outcome };
  };
  const decided = await Promise.all(proposed.map(decide));
  await client.close();
  return isGone && decided.every(({ outcome }) => outcome === undefined) ? undefined : decided;
}

/** @throws Error that says where the text is kept instead */
function write(one: Held, host: Host): Promise<void> {
  const { path: file, bytes: before, text, outcome } = one;
  const content = contentOf(one);
  if (text === null && content === "") return writeReviewedFile(file, null, { before: { bytes: before } });
  const decidedFor = outcome?.kind === "accepted" ? outcome.before : undefined;
  return writeAccepted({ file, before, decidedFor, content, host });
}
