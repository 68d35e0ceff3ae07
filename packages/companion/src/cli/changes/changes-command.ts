import path from "node:path";
import { displayNameOf } from "../../agents/agents.ts";
import { revertTroubles, withheld as whyWithheld } from "../../core/sentences.ts";
import { readUncommitted } from "../../core/written/committed.ts";
import { prune } from "../../core/written/prune.ts";
import { sourceOf } from "../../core/written/renames.ts";
import type { Selection, Written, WrittenChange, WrittenTurn } from "../../core/written/written.ts";
import { WrittenLog } from "../../core/written/written-log.ts";
import { toGitPatch } from "../../files/git-patch.ts";
import { realPathOf } from "../../files/workspace-path.ts";
import { writtenFolder } from "../../system/host.ts";
import { exitCodes, type Invocation, printResult, UsageError } from "../invocation.ts";
import { isAgreed } from "../terminal/ask.ts";
import {
  type Action,
  act,
  chooseRecord,
  describeDifference,
  nameIn,
  printRecords,
} from "../terminal/records.ts";
import { toDisplayPath, toDuration } from "../terminal/text.ts";

/** What agents have written by themselves, and what was chosen of it. */
type Chosen = Awaited<ReturnType<typeof choose>>;

const actions: Readonly<Record<string, Action<Chosen>>> = { list, diff, keep, revert, undo };

/** Lists what agents have written by themselves, keeps it or takes it back. No companion needs to run. */
export async function runChanges(invocation: Invocation): Promise<number> {
  const { verb } = invocation.arguments;
  const log = new WrittenLog(writtenFolder(invocation.host));
  const written = await readUncommitted(log);
  const chosen = await choose(written, invocation);
  if (verb === "keep" || verb === "revert") requireChoice(chosen, invocation);
  const code = await act(actions, chosen, invocation);
  prune(log);
  return code;
}

/** @throws UsageError when a word or an option means nothing */
async function choose(written: Written, { arguments: given, folder }: Invocation) {
  const { words } = given;
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
  const selection: Selection = {
    ...(turn !== undefined && { turn }),
    ...(paths.length > 0 && { paths }),
    ...(hunk !== undefined && { hunks: [hunk] }),
  };
  return { written, turns, selection };
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

function list({ written, turns }: Chosen, invocation: Invocation): number {
  const { host, out } = invocation;
  const { dim, plain } = out.paint;
  const show = (file: string) => plain(toDisplayPath(file, host.home));
  const rows = turns.map(({ id, title, agent, startedAt, changes }) => ({
    ...{ id, title: title || "a prompt that was not recorded" },
    about: [
      dim(`${displayNameOf(agent)}, ${toDuration(Date.now() - startedAt)} ago`),
      ...changes.map((change) => {
        const former = sourceOf(written, change)?.path;
        const kind = former === undefined ? letters[change.kind] : `R ${show(former)} →`;
        return `${kind} ${show(change.path)}  ${dim(countsOf(change))}`;
      }),
    ],
  }));
  const toJson = (change: WrittenChange) => {
    const { before: _, after: __, ...rest } = change;
    return { ...rest, renamedFrom: sourceOf(written, change)?.path };
  };
  const json = turns.map(({ conversation: _, changes, ...turn }) => ({
    ...turn,
    changes: changes.map(toJson),
  }));
  const none = "Nothing that an agent wrote without asking waits for you.";
  return printRecords({ turns: json }, rows, none, hints, invocation);
}

const hints = [
  ["See one", "ide-companion changes diff --turn ID"],
  ["It is fine", "ide-companion changes keep --turn ID"],
  ["Take it back", "ide-companion changes revert --turn ID"],
] as const;

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

function keep({ written, selection }: Chosen, invocation: Invocation): number {
  const kept = written.keep(selection);
  const { plain } = invocation.out.paint;
  return printResult(invocation, { kept }, () => kept.map((file) => `kept: ${plain(file)}`));
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
  const files = plan.plans.map(({ path: file }) => file);
  return tell(files, "reverted", invocation);
}

async function undo({ written }: Chosen, invocation: Invocation) {
  const { arguments: given, out, err } = invocation;
  if (given.has("turn")) throw new UsageError("--turn is for list and diff and keep and revert alone");
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
  return tell(last.paths, "undone", invocation);
}

function tell(files: readonly string[], done: string, invocation: Invocation): number {
  const { green, plain } = invocation.out.paint;
  return printResult(invocation, { [done]: files }, () =>
    files.map((file) => `${green(`${done}:`)} ${plain(file)}`),
  );
}
