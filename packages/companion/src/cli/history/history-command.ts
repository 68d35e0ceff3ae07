import { History } from "../../core/history/history.ts";
import { describeDecision, openHistoryFolder, type PastDecision } from "../../core/history/past-decision.ts";
import { laterOf, planRewrite, type Rewriting } from "../../core/history/rewrite.ts";
import { inEnglish, outcomes, rewriteTroubles } from "../../core/sentences.ts";
import { readFileNow } from "../../files/file-text.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import { historyFolder } from "../../system/host.ts";
import { historyVerbs } from "../commands/verbs.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { canAsk, confirm } from "../terminal/ask.ts";
import {
  describeDifference,
  discardRecords,
  parseVerb,
  printText,
  readChosen,
  toPatch,
} from "../terminal/records.ts";
import { toDisplayPath, toDuration } from "../terminal/text.ts";

type Verb = (typeof historyVerbs)[number];

type Action = (
  history: History,
  words: readonly string[],
  invocation: Invocation,
) => number | Promise<number>;

const actions: Readonly<Record<Verb, Action>> = {
  list,
  show,
  diff,
  undo: rewriting("undo", "holds nothing of this change"),
  reapply: rewriting("reapply", "holds this change"),
  discard,
};

/** Decisions that `list` prints without --limit. */
const usualCount = 20;

/** Lists past decisions, takes accepted changes back, and puts changes in afterwards. No companion needs to run. */
export async function runHistory(invocation: Invocation): Promise<number> {
  const { arguments: given, host, err } = invocation;
  const { verb, words } = parseVerb(given, historyVerbs, {
    command: "history",
    words: { list: 0, show: 1, diff: 1, undo: 1, reapply: 1, discard: Number.POSITIVE_INFINITY },
    options: { search: ["list"], limit: ["list"], yes: ["undo", "reapply"], all: ["discard"] },
  });
  const warn = (message: string) => err.line(err.paint.yellow(message));
  const history = new History({
    folder: openHistoryFolder(historyFolder(host)),
    sharing: { check: async () => false },
    onWarning: warn,
  });
  return actions[verb](history, words, invocation);
}

function list(history: History, _words: readonly string[], { arguments: given, out, host }: Invocation) {
  const all = history.list();
  const [wanted = ""] = given.all("search");
  const count = toCount(given.all("limit")[0]);
  const found = all.filter((one) =>
    [one.filePath, one.agent, describeDecision(one)].some((text) => text.includes(wanted)),
  );
  const decisions = found.slice(0, count);
  if (given.has("json")) {
    out.line(JSON.stringify({ decisions: decisions.map(({ bytes: _, ...one }) => one) }, null, 2));
    return exitCodes.ok;
  }
  if (decisions.length === 0) {
    out.line(
      all.length === 0 ? "Nothing has been decided yet." : `No decision holds ${out.paint.plain(wanted)}.`,
    );
    return exitCodes.ok;
  }
  for (const one of decisions) {
    out.line(`${out.paint.cyan(one.id)}  ${out.paint.bold(toDisplayPath(one.filePath, host.home))}`);
    const about = `${describeDecision(one)} ${toDuration(Date.now() - one.at)} ago, a change by ${one.agent}`;
    out.line(`          ${out.paint.dim(about)}`);
  }
  out.line();
  if (found.length > count) out.line(`${found.length - count} older ones: ${out.paint.bold("--limit N")}`);
  out.line(`See one: ${out.paint.bold("ide-companion history diff ID")}`);
  out.line(`Take one back: ${out.paint.bold("ide-companion history undo ID")}`);
  return exitCodes.ok;
}

function toCount(text = String(usualCount)): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--limit ${text} is no count: give a number from 1`);
  return Number(text);
}

function show(history: History, [id]: readonly string[], { arguments: given, out }: Invocation) {
  const found = find(history, id);
  const text = afterOf(found);
  if (given.has("json")) out.line(JSON.stringify(found, null, 2));
  else printText(text, out);
  return exitCodes.ok;
}

function diff(history: History, [id]: readonly string[], { arguments: given, out }: Invocation) {
  const found = find(history, id);
  const after = afterOf(found);
  const patch = toPatch(found.filePath, found.texts?.before ?? undefined, after, [
    "before",
    inEnglish(outcomes[found.code], found.agent),
  ]);
  if (given.has("json")) out.line(JSON.stringify({ ...found, patch }, null, 2));
  else for (const line of describeDifference(patch, out.paint)) out.line(line);
  if (given.has("json")) return exitCodes.ok;
  for (const { startLine, endLine, text } of found.comments ?? []) {
    const lines = endLine === startLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`;
    out.line(`${out.paint.dim(`Your comment on ${lines}:`)} ${out.paint.plain(text.trim())}`);
  }
  return exitCodes.ok;
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
function rewriting(kind: Rewriting, nothing: string): Action {
  /** In JSON, and over the new text. */
  const mark = laterOf[kind];
  return async (history, [id], { arguments: given, out, err }) => {
    const found = find(history, id);
    const { filePath: file } = found;
    const { file: onDisk, stamp } = readFileNow(file);
    const now = onDisk.kind === "text" ? onDisk.text : undefined;
    const plan = planRewrite(kind, found, onDisk);
    const isJson = given.has("json");
    if (plan.kind === "impossible") {
      err.line(err.paint.yellow(`${file} was not written. ${rewriteTroubles[plan.reason]}`));
      return exitCodes.failure;
    }
    if (plan.kind === "nothing") {
      if (isJson) out.line(JSON.stringify({ [mark]: found.id, file, patch: "" }, null, 2));
      else out.line(`Nothing to do: ${out.paint.plain(file)} ${nothing}.`);
      return exitCodes.ok;
    }
    const patch = toPatch(file, now, plan.text ?? undefined, ["now", mark]);
    if (!isJson) for (const line of describeDifference(patch, out.paint)) out.line(line);
    if (!given.has("yes") && !(await confirm(plan.text === null ? "Delete this file?" : "Write this?"))) {
      err.line(`Nothing was written${canAsk() ? "." : ": where nobody can be asked, say --yes."}`);
      return exitCodes.failure;
    }
    await writeReviewedFile(file, plan.text, { before: { stamp } });
    history.note(found.id, mark);
    history.flush();
    if (isJson) out.line(JSON.stringify({ [mark]: found.id, file, patch }, null, 2));
    else {
      const done = plan.text === null ? "deleted:" : "written:";
      out.line(`${out.paint.green(done)} ${out.paint.plain(file)}`);
    }
    return exitCodes.ok;
  };
}

function discard(history: History, ids: readonly string[], invocation: Invocation) {
  return discardRecords(history, ids, wording, invocation);
}

const wording = { what: "decisions", command: "ide-companion history" };

/** @throws UsageError when it means none, or more than one */
const find = (history: History, start: string | undefined) => readChosen(history, start, wording);
