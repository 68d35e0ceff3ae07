import { statSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { connectCompanion, spokenAgents } from "../../client/companion-client.ts";
import type { DiffOutcome } from "../../client/pending-diffs.ts";
import { toPlace } from "../../core/comments/message.ts";
import { decodeExactly } from "../../files/written-form.ts";
import { createDeferred } from "../../system/deferred.ts";
import type { Host } from "../../system/host.ts";
import { version } from "../../version.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { endSignals, toExitCode } from "../review/lifetime.ts";
import { findServing, toCompanionName } from "../serving.ts";
import { toDisplayPath } from "../terminal/text.ts";
import { printAccepted, writeAccepted } from "./written-text.ts";

/** How a review ended. `unchanged`: there was nothing to decide. */
type Outcome =
  | Exclude<DiffOutcome, { readonly kind: "closed" }>
  | { readonly kind: "unchanged"; readonly content: string };

/** The user has said no, which is not a failure. */
const rejectedCode = 3;

/** Lets the user review a change by hand, waits for the decision, and tells it. */
export async function runDiff(invocation: Invocation): Promise<number> {
  const { arguments: given } = invocation;
  const [original, proposal] = given.words;
  if (original === undefined || proposal === undefined) {
    throw new UsageError("name two files: the one as it is, and one with the proposed text");
  }
  const targets = toTargets(invocation, original);
  const texts = await readTexts(original, proposal, invocation);
  try {
    const outcome =
      texts.before && decodeExactly(texts.before) === texts.proposed
        ? ({ kind: "unchanged", content: texts.proposed } as const)
        : await review(texts, invocation);
    if (typeof outcome === "number") return outcome;
    if (outcome.kind !== "rejected") await write(outcome, targets, texts.file, invocation);
    tell(outcome, texts, invocation);
    return outcome.kind === "rejected" ? rejectedCode : exitCodes.ok;
  } finally {
    await texts.close();
  }
}

/** A file that the accepted text is for, and what it holds at this moment. */
interface Target {
  /** Absolute; undefined for standard output. */
  readonly file: string | undefined;
  readonly before: Promise<Buffer | undefined>;
}

function toTargets({ arguments: given, folder }: Invocation, original: string): readonly Target[] {
  const [output] = given.all("output");
  if (given.has("json") && output === "-") {
    throw new UsageError("--json holds the accepted text: --output - would print it among it");
  }
  if (given.has("write") && isNowhere(original)) {
    throw new UsageError(`--write has nothing to write to: ${original} is no file. Use --output`);
  }
  const names = [...(given.has("write") ? [original] : []), ...(output === undefined ? [] : [output])];
  // git names the null device where a file has been deleted: there is nothing to write then.
  return names
    .filter((name) => !isNowhere(name))
    .map((name) => {
      if (name === "-") return { file: undefined, before: Promise.resolve(undefined) };
      const file = path.resolve(folder, name);
      checkTarget(file);
      return { file, before: readFile(file).catch(() => undefined) }; // not there yet
    });
}

/**
 * Reading from a pipe waits for a writer, and a device cannot be replaced.
 * @throws UsageError when something other than a regular file is there
 */
function checkTarget(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  // A name that is no UTF-8 is not in the words of a command line.
  if (stats === undefined && file.includes("\uFFFD"))
    throw new UsageError(`${file} has a name that is not UTF-8`);
  if (stats === undefined || stats.isFile()) return;
  if (stats.isDirectory()) throw new UsageError(`${file} is a folder: name a file to write to`);
  throw new UsageError(`${file} is not a regular file: use --output - to print the accepted text`);
}

/** @returns an exit code when there was no decision */
async function review(texts: Texts, invocation: Invocation): Promise<Outcome | number> {
  const { err, host } = invocation;
  const own = path.dirname(await realpath(texts.file).catch(() => texts.file));
  const serving = await findServing(invocation, { agents: spokenAgents, folders: [own, invocation.folder] });
  if (!serving) return exitCodes.failure;
  const { port, token = "" } = serving.chosen;
  const clientInfo = { name: "ide-companion-diff", title: "ide-companion diff", version };
  const client = await connectCompanion({ port, token, clientInfo });
  const interrupt = listenForSignals();
  try {
    if (err.isTerminal && !invocation.arguments.has("quiet")) {
      const where = `${toDisplayPath(texts.file, host.home)} waits for your decision in ${toCompanionName(serving.chosen)}`;
      err.line(`${err.paint.plain(where)} ${err.paint.dim("(Ctrl-C takes it back)")}`);
    }
    const outcome = await Promise.race([client.openDiff(texts.file, texts.proposed), interrupt.came]);
    return typeof outcome !== "number" && outcome.kind === "closed" ? { kind: "rejected" } : outcome;
  } finally {
    interrupt.close();
    // Ends a review that was not decided; what was typed in it stays in the editor.
    await client.close();
  }
}

/** A signal does not end us before the companion knows of it. */
function listenForSignals(): { readonly came: Promise<number>; close(): void } {
  const { promise: came, resolve } = createDeferred<number>();
  const take = (signal: NodeJS.Signals) => resolve(toExitCode(signal));
  for (const signal of endSignals) process.on(signal, take);
  return {
    came,
    close() {
      for (const signal of endSignals) process.off(signal, take);
    },
  };
}

async function write(
  outcome: Exclude<Outcome, { readonly kind: "rejected" }>,
  targets: readonly Target[],
  reviewed: string,
  { host }: Invocation,
): Promise<void> {
  const { content } = outcome;
  for (const { file, before } of targets) {
    const decidedFor = outcome.kind === "accepted" && file === reviewed ? outcome.before : undefined;
    if (file === undefined) await printAccepted(content, path.basename(reviewed), host);
    else await writeAccepted({ file, before: await before, decidedFor, content, host });
  }
}

function tell(
  outcome: Outcome,
  { file, proposed }: Texts,
  { arguments: given, out, err, host }: Invocation,
): void {
  const content = outcome.kind === "rejected" ? undefined : outcome.content;
  const comments = outcome.kind === "unchanged" ? undefined : outcome.comments;
  const edited = content !== undefined && content !== proposed;
  if (given.has("json")) {
    out.line(JSON.stringify({ outcome: outcome.kind, file, edited, content, comments }, null, 2));
    return;
  }
  if (given.has("quiet")) return;
  // Standard output may be the accepted text's.
  const { paint, line } = given.all("output")[0] === "-" ? err : out;
  const name = paint.plain(toDisplayPath(file, host.home));
  const words = {
    accepted: paint.green(edited ? "accepted, with edits:" : "accepted:"),
    rejected: paint.red("rejected:"),
    unchanged: paint.plain("no difference:"),
  };
  line(`${words[outcome.kind]} ${name}`);
  for (const comment of comments ?? []) {
    for (const [index, words] of comment.text.trim().split("\n").entries())
      line(
        index === 0
          ? `  ${paint.cyan(`${toPlace(comment)}:`)} ${paint.plain(words)}`
          : `    ${paint.plain(words)}`,
      );
  }
}

/** What git and others name where a file does not exist on one side. */
const nowhere = ["/dev/null", "nul", "\\\\.\\nul"];

/** The two sides of a review. */
interface Texts {
  /** The file under review: absolute; need not exist. */
  readonly file: string;
  /** Its bytes as they were when the review began; undefined for a new file. */
  readonly before: Buffer | undefined;
  readonly proposed: string;
  /** Removes what was made for the review. */
  close(): Promise<void>;
}

/**
 * Reads both sides.
 * @param folder absolute; what relative names start from
 * @throws UsageError naming the file that cannot be one side of a review
 */
async function readTexts(
  original: string,
  proposal: string,
  { folder, host }: { readonly folder: string; readonly host: Host },
): Promise<Texts> {
  const proposed = await readProposal(proposal, folder);
  if (isNowhere(original)) {
    // A companion compares with the file of that name: there must be none.
    const made = await mkdtemp(path.join(host.tmp, "ide-companion-diff-"));
    const close = () => rm(made, { recursive: true, force: true });
    return { file: path.join(made, path.basename(proposal)), before: undefined, proposed, close };
  }
  const file = path.resolve(folder, original);
  const before = statSync(file, { throwIfNoEntry: false }) ? await readSide(file) : undefined;
  return { file, before, proposed, close: async () => {} };
}

const isNowhere = (file: string): boolean => nowhere.includes(file.toLowerCase());

async function readProposal(proposal: string, folder: string): Promise<string> {
  if (isNowhere(proposal)) return "";
  if (proposal === "-") return decode(await buffer(process.stdin), "standard input");
  const file = path.resolve(folder, proposal);
  return decode(await readSide(file), file);
}

async function readSide(file: string): Promise<Buffer> {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`there is no file ${file}`);
  if (stats.isDirectory()) throw new UsageError(`${file} is a folder: diff reviews one file at a time`);
  // A pipe, as a shell makes one of <(command), is read to its end.
  return readFile(file);
}

function decode(bytes: Buffer, file: string): string {
  const text = decodeExactly(bytes);
  if (text === undefined) throw new UsageError(`${file} is not UTF-8 text: it cannot be reviewed`);
  return text;
}
