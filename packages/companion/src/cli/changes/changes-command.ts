import path from "node:path";
import { displayNameOf } from "../../agents/agents.ts";
import { revertTroubles, withheld as whyWithheld } from "../../core/sentences.ts";
import { readUncommitted } from "../../core/written/committed.ts";
import { prune } from "../../core/written/prune.ts";
import type { Selection, Written, WrittenChange, WrittenTurn } from "../../core/written/written.ts";
import { WrittenLog } from "../../core/written/written-log.ts";
import { realPathOf } from "../../files/workspace-path.ts";
import { writtenFolder } from "../../system/host.ts";
import { changesVerbs } from "../commands/verbs.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { canAsk, confirm } from "../terminal/ask.ts";
import { chooseRecord, describeDifference, nameIn, parseVerb, toGitPatch } from "../terminal/records.ts";
import { toDisplayPath, toDuration } from "../terminal/text.ts";

/** What agents have written by themselves, and what was chosen of it. */
interface Chosen {
  readonly written: Written;
  readonly turns: readonly WrittenTurn[];
  readonly selection: Selection;
}

type Action = (chosen: Chosen, invocation: Invocation) => number | Promise<number>;

const actions: Readonly<Record<(typeof changesVerbs)[number], Action>> = { list, diff, keep, revert, undo };

/** Lists what agents have written by themselves, keeps it or takes it back. No companion needs to run. */
export async function runChanges(invocation: Invocation): Promise<number> {
  const { arguments: given, host } = invocation;
  const any = Number.POSITIVE_INFINITY;
  const { verb, words } = parseVerb(given, changesVerbs, {
    command: "changes",
    words: { list: any, diff: any, keep: any, revert: any, undo: 0 },
    options: {
      turn: ["list", "diff", "keep", "revert"],
      hunk: ["keep", "revert"],
      all: ["keep", "revert"],
      comment: ["revert"],
      yes: ["revert", "undo"],
    },
  });
  const log = new WrittenLog(writtenFolder(host));
  const written = await readUncommitted(log);
  const chosen = await choose(written, words, invocation);
  if (verb === "keep" || verb === "revert") requireChoice(chosen, invocation);
  const code = await actions[verb](chosen, invocation);
  prune(log);
  return code;
}

/** @throws UsageError when a word or an option means nothing */
async function choose(
  written: Written,
  words: readonly string[],
  { arguments: given, folder }: Invocation,
): Promise<Chosen> {
  const all = written.list();
  const [start] = given.all("turn");
  const turn = start === undefined ? undefined : chooseRecord(all, start, wording).id;
  const paths = await Promise.all(words.map((word) => realPathOf(path.resolve(folder, word))));
  const isChosen = (change: WrittenChange) => paths.length === 0 || paths.includes(change.path);
  const turns = all
    .filter(({ id }) => turn === undefined || id === turn)
    .map((each) => ({ ...each, changes: each.changes.filter(isChosen) }))
    .filter(({ changes }) => changes.length > 0);
  const [unknown] = words.filter(
    (_, index) => !turns.some(({ changes }) => changes.some((one) => one.path === paths[index])),
  );
  if (unknown !== undefined)
    throw new UsageError(`no change of ${unknown} waits. "${wording.command}" lists those that do`);
  const hunk = toHunk(given.all("hunk")[0], turns);
  return {
    written,
    turns,
    selection: {
      ...(turn !== undefined && { turn }),
      ...(paths.length > 0 && { paths }),
      ...(hunk !== undefined && { hunks: [hunk] }),
    },
  };
}

const wording = { what: "turns", command: "ide-companion changes" };

function toHunk(text: string | undefined, turns: readonly WrittenTurn[]): number | undefined {
  if (text === undefined) return undefined;
  const [only, other] = turns.flatMap(({ changes }) => changes);
  if (only === undefined || other) throw new UsageError("--hunk is for one file of one turn: name both");
  const count = only.hunks.length;
  const isThere = /^[1-9]\d*$/.test(text) && Number(text) <= count;
  if (!isThere) throw new UsageError(`--hunk ${text} is none of its ${count}, which are counted from 1`);
  return Number(text) - 1;
}

/** @throws UsageError: too much must not be decided by a slip */
function requireChoice({ turns, selection }: Chosen, { arguments: given }: Invocation): void {
  const isNamed = selection.turn !== undefined || selection.paths !== undefined;
  if (given.has("all") && isNamed)
    throw new UsageError("--all is everything: name no turn and no file with it");
  if (isNamed || given.has("all") || turns.length <= 1) return;
  throw new UsageError(`${turns.length} turns wait: name one by --turn, or files, or say --all`);
}

function list({ turns }: Chosen, { arguments: given, out, host }: Invocation) {
  if (given.has("json")) {
    const withoutTexts = ({ before: _, after: __, ...change }: WrittenChange) => change;
    const shown = turns.map(({ conversation: _, ...turn }) => ({
      ...turn,
      changes: turn.changes.map(withoutTexts),
    }));
    out.line(JSON.stringify({ turns: shown }, null, 2));
    return exitCodes.ok;
  }
  if (turns.length === 0) {
    out.line("Nothing that an agent wrote without asking waits for you.");
    return exitCodes.ok;
  }
  for (const { id, agent, title, startedAt, changes } of turns) {
    out.line(`${out.paint.cyan(id)}  ${out.paint.bold(title || "a prompt that was not recorded")}`);
    out.line(
      `          ${out.paint.dim(`${displayNameOf(agent)}, ${toDuration(Date.now() - startedAt)} ago`)}`,
    );
    for (const change of changes) {
      const place = out.paint.plain(toDisplayPath(change.path, host.home));
      out.line(`          ${letters[change.kind]} ${place}  ${out.paint.dim(countsOf(change))}`);
    }
  }
  out.line();
  out.line(`See one: ${out.paint.bold("ide-companion changes diff --turn ID")}`);
  out.line(`It is fine: ${out.paint.bold("ide-companion changes keep --turn ID")}`);
  out.line(`Take it back: ${out.paint.bold("ide-companion changes revert --turn ID")}`);
  return exitCodes.ok;
}

const letters = { added: "A", modified: "M", deleted: "D" } as const;

const countsOf = ({ added, removed, withheld }: WrittenChange): string =>
  withheld === undefined ? `+${added} −${removed}` : whyWithheld[withheld];

/** Oldest first: a file that two turns have changed is patched twice. */
function diff({ turns }: Chosen, { arguments: given, out, err, folder }: Invocation) {
  const left: string[] = [];
  const patches = turns.toReversed().flatMap(({ changes }) =>
    changes.flatMap(({ path: file, before, after }) => {
      const isKept = before !== undefined && after !== undefined;
      const patch = isKept ? toGitPatch(nameIn(folder, file), before, after) : undefined;
      if (patch === undefined) left.push(file);
      return patch === undefined ? [] : [patch];
    }),
  );
  printPatch(patches.join(""), given.has("json"), out);
  for (const file of left)
    err.line(err.paint.yellow(`${file} is not in this patch: it is not a text, or not kept`));
  return exitCodes.ok;
}

/** @param patch bytes, one character each: a program gets them as they are */
function printPatch(patch: string, isJson: boolean, out: Invocation["out"]): void {
  const bytes = Buffer.from(patch, "latin1");
  if (isJson) out.line(JSON.stringify({ patch: bytes.toString("utf8") }, null, 2));
  else if (!out.isTerminal) process.stdout.write(bytes);
  else if (patch !== "")
    for (const line of describeDifference(bytes.toString("utf8"), out.paint)) out.line(line);
}

function keep({ written, selection }: Chosen, { arguments: given, out }: Invocation) {
  const kept = written.keep(selection);
  if (given.has("json")) out.line(JSON.stringify({ kept }, null, 2));
  else for (const file of kept) out.line(`kept: ${out.paint.plain(file)}`);
  return exitCodes.ok;
}

async function revert({ written, selection }: Chosen, invocation: Invocation) {
  const { arguments: given, out, err, folder } = invocation;
  const plan = written.planRevert(selection);
  if (plan.kind === "impossible") {
    err.line(err.paint.yellow(`Nothing was written. ${plan.path}: ${revertTroubles[plan.reason]}`));
    return exitCodes.failure;
  }
  const patch = written
    .textsOf(plan.plans)
    .map(
      ({ path: file, before = null, after = null }) => toGitPatch(nameIn(folder, file), before, after) ?? "",
    )
    .join("");
  if (!given.has("json")) printPatch(patch, false, out);
  if (!(await isAgreed("Write this?", invocation))) return exitCodes.failure;
  await written.revert(plan.plans, given.all("comment")[0]);
  tell(
    plan.plans.map(({ path: file }) => file),
    "reverted",
    invocation,
  );
  return exitCodes.ok;
}

async function undo({ written }: Chosen, invocation: Invocation) {
  const { arguments: given, out, err } = invocation;
  const [last] = written.decisions();
  if (last === undefined) {
    out.line("Nothing was kept or reverted that could be undone.");
    return exitCodes.ok;
  }
  if (!given.has("json")) for (const file of last.paths) out.line(out.paint.plain(file));
  if (!(await isAgreed("Undo what was decided about these?", invocation))) return exitCodes.failure;
  const changed = await written.undo(last.id);
  if (changed !== undefined) {
    err.line(err.paint.yellow(`Nothing was written: ${changed} has changed since.`));
    return exitCodes.failure;
  }
  tell(last.paths, "undone", invocation);
  return exitCodes.ok;
}

async function isAgreed(question: string, { arguments: given, err }: Invocation): Promise<boolean> {
  if (given.has("yes") || (await confirm(question))) return true;
  err.line(`Nothing was written${canAsk() ? "." : ": where nobody can be asked, say --yes."}`);
  return false;
}

function tell(files: readonly string[], done: string, { arguments: given, out }: Invocation): void {
  if (given.has("json")) out.line(JSON.stringify({ [done]: files }, null, 2));
  else for (const file of files) out.line(`${out.paint.green(`${done}:`)} ${out.paint.plain(file)}`);
}
