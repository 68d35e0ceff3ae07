import { toPlace } from "../../core/comments/message.ts";
import { History } from "../../core/history/history.ts";
import { openHistoryFolder, type PastDecision } from "../../core/history/past-decision.ts";
import { laterOf, planRewrite, type Rewriting } from "../../core/history/rewrite.ts";
import { describeOutcome, inEnglish, outcomes, rewriteTroubles } from "../../core/sentences.ts";
import { readFileNow } from "../../files/file-text.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import { historyFolder } from "../../system/host.ts";
import { exitCodes, type Invocation, printResult, UsageError } from "../invocation.ts";
import { isAgreed } from "../terminal/ask.ts";
import {
  type Action,
  act,
  describeDifference,
  discardRecords,
  linesOfText,
  printRecords,
  readChosen,
  toPatch,
} from "../terminal/records.ts";
import { toDisplayPath, toDuration } from "../terminal/text.ts";

const actions: Readonly<Record<string, Action<History>>> = {
  list,
  show(history, invocation) {
    const found = readChosen(history, invocation, wording);
    const text = afterOf(found);
    return printResult(invocation, found, () => linesOfText(text, invocation.out));
  },
  diff,
  undo: rewriting("undo", "holds nothing of this change"),
  reapply: rewriting("reapply", "holds this change"),
  discard: (history, invocation) => discardRecords(history, wording, invocation),
};

/** Decisions that `list` prints without --limit. */
const usualCount = 20;

/** Lists past decisions, takes accepted changes back, and puts changes in afterwards. No companion needs to run. */
export async function runHistory(invocation: Invocation): Promise<number> {
  const { host, err } = invocation;
  const history = new History({
    folder: openHistoryFolder(historyFolder(host)),
    sharing: { check: async () => false },
    onWarning: (message) => err.line(err.paint.yellow(message)),
  });
  return act(actions, history, invocation);
}

function list(history: History, invocation: Invocation): number {
  const { arguments: given, out, host } = invocation;
  const all = history.list();
  const count = toCount(given.all("limit")[0]);
  const decisions = all.slice(0, count);
  const rows = decisions.map((one) => {
    const ended = `${describeOutcome(one)} ${toDuration(Date.now() - one.at)} ago`;
    return {
      ...{ id: one.id, title: toDisplayPath(one.filePath, host.home) },
      about: [out.paint.dim(`${ended}, a change by ${one.agent}`)],
    };
  });
  const older = all.length - count;
  const hints: readonly (readonly [string, string])[] = [
    ...(older > 0 ? [[`${older} older ones`, "--limit N"] as const] : []),
    ["See one", "ide-companion history diff ID"],
    ["Take one back", "ide-companion history undo ID"],
  ];
  return printRecords({ decisions }, rows, "Nothing has been decided yet.", hints, invocation);
}

function toCount(text = String(usualCount)): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--limit ${text} is no count: give a number from 1`);
  return Number(text);
}

function diff(history: History, invocation: Invocation): number {
  const { paint } = invocation.out;
  const found = readChosen(history, invocation, wording);
  const patch = toPatch(found.filePath, found.texts?.before ?? undefined, afterOf(found), [
    "before",
    inEnglish(outcomes[found.code], found.agent),
  ]);
  const comments = (found.comments ?? []).map(
    (comment) => `${paint.dim(`Your comment on ${toPlace(comment)}:`)} ${paint.plain(comment.text.trim())}`,
  );
  return printResult(invocation, { ...found, patch }, () => [
    ...describeDifference(patch, paint),
    ...comments,
  ]);
}

/** @throws UsageError when the history does not hold it */
function afterOf({ id, texts }: PastDecision): string {
  if (!texts) {
    throw new UsageError(
      `the history does not hold the texts of ${id}: they are too long, or the file is kept from agents`,
    );
  }
  return texts.accepted ?? texts.proposed;
}

/**
 * Shows what a past change would make of its file, asks, and writes it.
 * @param nothing why there is nothing to do, after the file's name
 */
function rewriting(kind: Rewriting, nothing: string): Action<History> {
  /** In JSON, and over the new text. */
  const mark = laterOf[kind];
  return async (history, invocation) => {
    const { out, err } = invocation;
    const found = readChosen(history, invocation, wording);
    const { filePath: file } = found;
    const { file: onDisk, stamp } = readFileNow(file);
    const plan = planRewrite(kind, found, onDisk);
    if (plan.kind === "impossible") {
      err.line(err.paint.yellow(`${file} was not written. ${rewriteTroubles[plan.reason]}`));
      return exitCodes.failure;
    }
    if (plan.kind === "nothing") {
      const sentence = `Nothing to do: ${out.paint.plain(file)} ${nothing}.`;
      return printResult(invocation, { [mark]: found.id, file, patch: "" }, () => [sentence]);
    }
    const now = onDisk.kind === "text" ? onDisk.text : undefined;
    const patch = toPatch(file, now, plan.text ?? undefined, ["now", mark]);
    if (!invocation.arguments.has("json"))
      for (const line of describeDifference(patch, out.paint)) out.line(line);
    if (!(await isAgreed(plan.text === null ? "Delete this file?" : "Write this?", invocation)))
      return exitCodes.failure;
    await writeReviewedFile(file, plan.text, { before: { stamp } });
    history.note(found.id, mark);
    history.flush();
    const done = plan.text === null ? "deleted:" : "written:";
    return printResult(invocation, { [mark]: found.id, file, patch }, () => [
      `${out.paint.green(done)} ${out.paint.plain(file)}`,
    ]);
  };
}

const wording = { what: "decisions", command: "ide-companion history" };
