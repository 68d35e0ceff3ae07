import path from "node:path";
import { EditsStore } from "../../core/edits/edits-store.ts";
import {
  openEditsFolder,
  type RecoveredEdits,
  type RecoveredEditsSummary,
} from "../../core/edits/recovered-edits.ts";
import type { Paint } from "../../core/paint.ts";
import { explainReason } from "../../core/sentences.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import { hashOf } from "../../files/text-hash.ts";
import { toReadableText, toWrittenForm } from "../../files/written-form.ts";
import { editsFolder } from "../../system/host.ts";
import { toShellWord } from "../../system/shell-word.ts";
import { editsVerbs } from "../commands/verbs.ts";
import { exitCodes, type Invocation } from "../invocation.ts";
import {
  describeDifference,
  discardRecords,
  parseVerb,
  printText,
  readChosen,
  readIfThere,
  toPatch,
} from "../terminal/records.ts";
import { toDisplayPath, toDuration } from "../terminal/text.ts";

/** What a file holds, and what writing the edits would change. */
interface Comparison {
  /** Undefined when there is no such file. */
  readonly bytes: Buffer | undefined;
  /** What can be read of these. */
  readonly onDisk: string | undefined;
  /** A unified diff; empty when the file holds the text. */
  readonly patch: string;
}

/** @throws UsageError when something other than a regular file is there */
function compare(file: string, { text }: RecoveredEdits): Comparison {
  const bytes = readIfThere(file);
  const onDisk = bytes && toReadableText(bytes);
  const written = onDisk === undefined ? text : toWrittenForm(onDisk, text);
  const patch = onDisk === written ? "" : toPatch(file, onDisk, written, ["on disk", "with your edits"]);
  return { bytes, onDisk, patch };
}

/** Writes edits to their file, or to another one; never over something that the user may not know of. */
async function restore(
  edits: EditsStore,
  found: RecoveredEdits,
  target: string | undefined,
  { arguments: given, folder, out, err }: Invocation,
): Promise<number> {
  const { id, filePath } = found;
  const file = target === undefined ? filePath : path.resolve(folder, target);
  const { bytes, onDisk, patch } = compare(file, found);
  const isKnown = target === undefined && onDisk !== undefined && hashOf(onDisk) === found.onDisk;
  if (patch !== "" && bytes !== undefined && !isKnown && !given.has("force")) {
    const what = target === undefined ? "has changed since you typed this" : "is there already";
    for (const line of describeDifference(patch, err.paint)) err.line(line);
    err.line(err.paint.yellow(`${file} ${what}, and was not written. This is what writing it would change.`));
    const again = `ide-companion edits restore ${id}`;
    err.line(
      `Write it: ${err.paint.bold(`${again}${target === undefined ? "" : ` ${toShellWord(target)}`} --force`)}`,
    );
    err.line(`Write another file: ${err.paint.bold(`${again} PATH`)}`);
    return exitCodes.failure;
  }
  await writeReviewedFile(file, found.text, { before: { bytes } });
  const isHome = target === undefined || file === filePath;
  if (isHome) edits.discard(id);
  if (given.has("json")) out.line(JSON.stringify({ restored: id, file, patch }, null, 2));
  else {
    for (const line of describeDifference(patch, out.paint)) out.line(line);
    out.line(`${out.paint.green("written:")} ${out.paint.plain(file)}`);
    if (!isHome) out.line(out.paint.dim(`They stay in the list: ide-companion edits discard ${id}`));
  }
  return exitCodes.ok;
}

type Verb = (typeof editsVerbs)[number];

/** Lists what was typed in proposals and no file holds, and brings it back. No companion needs to run. */
export async function runEdits(invocation: Invocation): Promise<number> {
  const { arguments: given, host, err } = invocation;
  const { verb, words } = parseVerb(given, editsVerbs, {
    command: "edits",
    words: { list: 0, show: 1, diff: 1, restore: 2, discard: Number.POSITIVE_INFINITY },
    options: { force: ["restore"], all: ["discard"] },
  });
  const edits = new EditsStore({
    folder: openEditsFolder(editsFolder(host)),
    onWarning: (message) => err.line(err.paint.yellow(message)),
  });
  return actions[verb](edits, words, invocation);
}

type Action = (
  edits: EditsStore,
  words: readonly string[],
  invocation: Invocation,
) => number | Promise<number>;

const actions: Readonly<Record<Verb, Action>> = { list, show, diff, restore: restoreTo, discard };

function list(edits: EditsStore, _words: readonly string[], { arguments: given, out, host }: Invocation) {
  const all = edits.list();
  if (given.has("json")) out.line(JSON.stringify({ edits: all }, null, 2));
  else for (const line of describeList(all, { now: Date.now(), home: host.home }, out.paint)) out.line(line);
  return exitCodes.ok;
}

function show(edits: EditsStore, [id]: readonly string[], { arguments: given, out }: Invocation) {
  const found = find(edits, id);
  if (given.has("json")) out.line(JSON.stringify(found, null, 2));
  else printText(found.text, out);
  return exitCodes.ok;
}

function diff(edits: EditsStore, [id]: readonly string[], { arguments: given, out }: Invocation) {
  const found = find(edits, id);
  const { onDisk = null, patch } = compare(found.filePath, found);
  if (given.has("json")) out.line(JSON.stringify({ ...found, onDisk, patch }, null, 2));
  else for (const line of describeDifference(patch, out.paint)) out.line(line);
  return exitCodes.ok;
}

async function restoreTo(edits: EditsStore, [id, target]: readonly string[], invocation: Invocation) {
  return restore(edits, find(edits, id), target, invocation);
}

function discard(edits: EditsStore, ids: readonly string[], invocation: Invocation) {
  return discardRecords(edits, ids, wording, invocation);
}

const wording = { what: "recovered edits", command: "ide-companion edits" };

/** @throws UsageError when it means none, or more than one */
const find = (edits: EditsStore, start: string | undefined) => readChosen(edits, start, wording);

interface Standpoint {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly home: string;
}

/** Recovered edits for people, line by line. */
function describeList(
  edits: readonly RecoveredEditsSummary[],
  { now, home }: Standpoint,
  paint: Paint,
): readonly string[] {
  if (edits.length === 0) return ["There are no recovered edits: every text that you typed is in its file."];
  return [
    ...edits.flatMap(({ id, filePath, agent, at, reason }) => [
      `${paint.cyan(id)}  ${paint.bold(toDisplayPath(filePath, home))}`,
      `          ${paint.dim(`typed ${toDuration(now - at)} ago in a change by ${agent}`)}`,
      `          ${paint.plain(explainReason({ reason, agent }))}`,
    ]),
    "",
    `See one: ${paint.bold("ide-companion edits diff ID")}`,
    `Get it back: ${paint.bold("ide-companion edits restore ID")}`,
    `Forget it: ${paint.bold("ide-companion edits discard ID")}`,
  ];
}
