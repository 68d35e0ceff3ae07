import { EditsStore } from "../../core/edits/edits-store.ts";
import type { RecoveredEdits } from "../../core/edits/recovered-edits.ts";
import { openEditsFolder } from "../../core/edits/recovered-edits.ts";
import { editsFolder } from "../../system/host.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { suggest } from "../suggestion.ts";
import { chooseRecord } from "../terminal/choose-record.ts";
import { describeDifference, describeList } from "./edits-text.ts";
import { compare, restore } from "./restore.ts";
import { verbs } from "./verbs.ts";

type Verb = (typeof verbs)[number];

/** Lists what was typed in proposals and no file holds, and brings it back. No companion needs to run. */
export async function runEdits(invocation: Invocation): Promise<number> {
  const { arguments: given, host, err } = invocation;
  const [word = "list", ...words] = given.words;
  const verb = verbs.find((known) => known === word);
  if (verb === undefined) {
    throw new UsageError(
      `there is no "edits ${word}"${suggest(word, verbs)}. Use one of: ${verbs.join(", ")}`,
    );
  }
  const edits = new EditsStore({
    folder: openEditsFolder(editsFolder(host)),
    onWarning: (message) => err.line(err.paint.yellow(message)),
  });
  checkOptions(verb, words, invocation);
  return actions[verb](edits, words, invocation);
}

type Action = (
  edits: EditsStore,
  words: readonly string[],
  invocation: Invocation,
) => number | Promise<number>;

const actions: Readonly<Record<Verb, Action>> = { list, show, diff, restore: restoreTo, discard };

function checkOptions(verb: Verb, words: readonly string[], { arguments: given }: Invocation): void {
  if (given.has("force") && verb !== "restore") throw new UsageError("--force is for restore alone");
  if (given.has("all") && verb !== "discard") throw new UsageError("--all is for discard alone");
  const most = { list: 0, show: 1, diff: 1, restore: 2, discard: Number.POSITIVE_INFINITY }[verb];
  const extra = words[most];
  if (extra !== undefined) throw new UsageError(`${extra} is one argument too many`);
}

function list(edits: EditsStore, _words: readonly string[], { arguments: given, out, host }: Invocation) {
  const all = edits.list();
  if (given.has("json")) out.line(JSON.stringify({ edits: all }, null, 2));
  else for (const line of describeList(all, { now: Date.now(), home: host.home }, out.paint)) out.line(line);
  return exitCodes.ok;
}

function show(edits: EditsStore, [id]: readonly string[], { arguments: given, out }: Invocation) {
  const found = find(edits, id);
  if (given.has("json")) out.line(JSON.stringify(found, null, 2));
  // On a terminal nothing in it may steer that; everything else gets its bytes.
  else if (out.isTerminal) for (const line of found.text.split("\n")) out.line(out.paint.plain(line));
  else process.stdout.write(found.text);
  return exitCodes.ok;
}

function diff(edits: EditsStore, [id]: readonly string[], { arguments: given, out }: Invocation) {
  const found = find(edits, id);
  const { onDisk, patch } = compare(found.filePath, found);
  if (given.has("json")) out.line(JSON.stringify({ ...found, onDisk: onDisk ?? null, patch }, null, 2));
  else for (const line of describeDifference(patch, out.paint)) out.line(line);
  return exitCodes.ok;
}

async function restoreTo(edits: EditsStore, [id, target]: readonly string[], invocation: Invocation) {
  return restore(edits, find(edits, id), target, invocation);
}

function discard(edits: EditsStore, ids: readonly string[], { arguments: given, out }: Invocation) {
  if (given.has("all") && ids.length > 0)
    throw new UsageError("--all discards everything: name no id with it");
  const found = given.has("all")
    ? edits.list().map(({ id }) => find(edits, id))
    : (ids.length === 0 ? [undefined] : ids).map((id) => find(edits, id));
  for (const { id } of found) edits.discard(id);
  if (given.has("json")) out.line(JSON.stringify({ discarded: found.map(({ id }) => id) }, null, 2));
  else for (const { id, filePath } of found) out.line(`discarded: ${id}  ${out.paint.plain(filePath)}`);
  return exitCodes.ok;
}

/** @throws UsageError when it means none, or more than one */
function find(edits: EditsStore, start: string | undefined): RecoveredEdits {
  const { id } = chooseRecord(edits.list(), start, {
    what: "recovered edits",
    command: "ide-companion edits",
  });
  const found = edits.read(id);
  if (!found) throw new UsageError(`there are no recovered edits ${id}`);
  return found;
}
