import { EditsStore } from "../../core/edits/edits-store.ts";
import { openEditsFolder, type RecoveredEdits } from "../../core/edits/recovered-edits.ts";
import { explainReason } from "../../core/sentences.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import { hashOf } from "../../files/text-hash.ts";
import { toReadableText, toWrittenForm } from "../../files/written-form.ts";
import { editsFolder } from "../../system/host.ts";
import { exitCodes, type Invocation, printResult } from "../invocation.ts";
import {
  type Action,
  act,
  describeDifference,
  discardRecords,
  linesOfText,
  printRecords,
  readChosen,
  readIfThere,
  toPatch,
} from "../terminal/records.ts";
import { toDisplayPath, toDuration } from "../terminal/text.ts";

/**
 * What a file holds, and what writing the edits would change: a patch, which is empty when the file holds the text.
 * @throws UsageError when something other than a regular file is there
 */
function compare(file: string, { text }: RecoveredEdits) {
  const bytes = readIfThere(file);
  const onDisk = bytes && toReadableText(bytes);
  const written = onDisk === undefined ? text : toWrittenForm(onDisk, text);
  const patch = onDisk === written ? "" : toPatch(file, onDisk, written, ["on disk", "with your edits"]);
  return { bytes, onDisk, patch };
}

/** Writes edits to their file; never over something that the user may not know of. */
async function restore(edits: EditsStore, found: RecoveredEdits, invocation: Invocation): Promise<number> {
  const { arguments: given, out, err } = invocation;
  const { id, filePath: file } = found;
  const { bytes, onDisk, patch } = compare(file, found);
  const isKnown = onDisk !== undefined && hashOf(onDisk) === found.onDisk;
  if (patch !== "" && bytes !== undefined && !isKnown && !given.has("force")) {
    for (const line of describeDifference(patch, err.paint)) err.line(line);
    const why =
      "has changed since you typed this, and was not written. This is what writing it would change.";
    err.line(err.paint.yellow(`${file} ${why}`));
    err.line(`Write it: ${err.paint.bold(`ide-companion edits restore ${id} --force`)}`);
    err.line(`Write another file: ${err.paint.bold(`ide-companion edits show ${id} > PATH`)}`);
    return exitCodes.failure;
  }
  await writeReviewedFile(file, found.text, { before: { bytes } });
  edits.discard(id);
  return printResult(invocation, { restored: id, file, patch }, () => [
    ...describeDifference(patch, out.paint),
    `${out.paint.green("written:")} ${out.paint.plain(file)}`,
  ]);
}

/** Lists what was typed in proposals and no file holds, and brings it back. No companion needs to run. */
export async function runEdits(invocation: Invocation): Promise<number> {
  const { host, err } = invocation;
  const edits = new EditsStore({
    folder: openEditsFolder(editsFolder(host)),
    onWarning: (message) => err.line(err.paint.yellow(message)),
  });
  return act(actions, edits, invocation);
}

const actions: Readonly<Record<string, Action<EditsStore>>> = {
  list,
  show(edits, invocation) {
    const found = readChosen(edits, invocation, wording);
    return printResult(invocation, found, () => linesOfText(found.text, invocation.out));
  },
  diff(edits, invocation) {
    const found = readChosen(edits, invocation, wording);
    const { onDisk = null, patch } = compare(found.filePath, found);
    return printResult(invocation, { ...found, onDisk, patch }, () =>
      describeDifference(patch, invocation.out.paint),
    );
  },
  restore: (edits, invocation) => restore(edits, readChosen(edits, invocation, wording), invocation),
  discard: (edits, invocation) => discardRecords(edits, wording, invocation),
};

function list(store: EditsStore, invocation: Invocation): number {
  const { out, host } = invocation;
  const edits = store.list();
  const rows = edits.map(({ id, filePath, agent, at, reason }) => ({
    ...{ id, title: toDisplayPath(filePath, host.home) },
    about: [
      out.paint.dim(`typed ${toDuration(Date.now() - at)} ago in a change by ${agent}`),
      out.paint.plain(explainReason({ reason, agent })),
    ],
  }));
  const none = "There are no recovered edits: every text that you typed is in its file.";
  return printRecords({ edits }, rows, none, hints, invocation);
}

const hints = [
  ["See one", "ide-companion edits diff ID"],
  ["Get it back", "ide-companion edits restore ID"],
  ["Forget it", "ide-companion edits discard ID"],
] as const;

const wording = { what: "recovered edits", command: "ide-companion edits" };
