import type { CliOutcome } from "../harness/cli.ts";
import {
  type Complain,
  type Connected,
  type Done,
  type End,
  type Expected,
  isCall,
  isEnd,
  isMerged,
  linesOf,
  ownLines,
  quote,
  type Seen,
  type Tracked,
} from "./record.ts";

/**
 * Every session receives the outcomes of its diffs, each once, with the text that the user saw, and of no others.
 * Right after this, `expectedAfter` gives all outcomes that the sessions must receive.
 */
export function judgeOutcomes(seen: Seen, ends: readonly End[], complain: Complain): void {
  for (const connected of seen.sessions) {
    const { session } = connected;
    const expected = expectedAfter(connected, seen, ends);
    const missing = [...expected];
    for (const outcome of session.outcomes) {
      // Required outcomes first, then optional ones.
      const fits = missing.filter((one) => isMet(one, outcome));
      const met = fits.find(({ optional }) => !optional) ?? fits[0];
      if (met) missing.splice(missing.indexOf(met), 1);
      else
        complain(
          `${session.label} has received ${toText(outcome)}, which was not decided, or once more than it was decided`,
        );
    }
    const mustReceive = connected.isOver ? receivesEnd(connected) : session.isStreaming;
    for (const { optional, kind, path, texts } of missing) {
      if (optional || !mustReceive) continue;
      complain(`${session.label} has not received that ${path} was ${kind} ${texts.map(quote).join(" or ")}`);
    }
  }
}

/** All outcomes that a session must receive since its start. */
export function expectedAfter(connected: Connected, seen: Seen, ends: readonly End[]): Expected[] {
  const replaced = seen.dones
    .filter(({ action, connected: by }) => action.do === "open" && by === connected)
    .map(({ path }) => path);
  const isOptional = (path: string) =>
    replaced.includes(path) || (connected.isOver && !receivesEnd(connected));
  const all = [...connected.expected, ...newlyExpected(connected, seen, ends)];
  return all.map((one) => ({ ...one, optional: one.optional || isOptional(one.path) }));
}

function newlyExpected(connected: Connected, { dones, before }: Seen, ends: readonly End[]): Expected[] {
  const expected: Expected[] = [];
  const own = ends.filter(({ diff }) => diff.connected === connected);
  for (const { action, diff, result, text = "", proposed, base = "", onDisk = "", error } of dones) {
    if (diff?.connected !== connected || action.do === "edit") continue;
    const isUnknown = result === undefined && error !== undefined; // its companion was killed meanwhile
    if (!result?.taken && !isUnknown) continue;
    const kind = action.do === "accept" ? "accepted" : "rejected";
    const written = connected.session.behaviour.takesNoEdits ? (proposed ?? diff.proposed) : text;
    const lines =
      isMerged(result) || isUnknown ? [...ownLines(text, base), ...ownLines(onDisk, base)] : undefined;
    expected.push({ kind, path: diff.path, texts: [written], ...(lines && { lines }), optional: isUnknown });
  }
  for (const done of dones.filter(isCall)) {
    const { action, path = "", reply } = done;
    if (done.connected !== connected) continue;
    if (action.do === "close" && action.suppress) continue;
    // Of a session that has ended meanwhile the answer may be lost.
    if (reply?.ok !== true && !connected.isOver) continue;
    const optional = reply?.ok !== true;
    const kind = action.do === "acceptDiff" ? "accepted" : "rejected";
    const closed = own.filter(({ diff }) => diff.path === path).flatMap((end) => end.closed);
    const lines = closed.flatMap(({ diff: { text, base } }) => ownLines(text, base));
    const merged = action.do === "acceptDiff" && closed.length === 1 ? { lines } : {};
    expected.push({ kind, path, texts: textsOf(path, own, dones), ...merged, optional });
  }
  const crosses = leavesAsItEnds(connected, dones);
  if (receivesEnd(connected) || connected.end === "kill companion" || crosses) {
    const wasOpen = before.filter((diff) => diff.connected === connected);
    const opened = own.map(({ diff }) => diff).filter((diff) => !before.includes(diff));
    for (const diff of [...wasOpen, ...opened]) {
      const isDecided = own.some((end) => end.diff === diff && end.taken.length > 0);
      const isCalled = dones.some(
        (done) => isCall(done) && done.connected === connected && done.path === diff.path,
      );
      if (isDecided || !connected.session.behaviour.outwaitsCompanion) continue;
      const optional =
        crosses ||
        isCalled ||
        opened.includes(diff) ||
        isUnanswered(diff, dones) ||
        connected.end === "kill companion";
      expected.push({ kind: "rejected", path: diff.path, texts: [], optional });
    }
    for (const path of unseen(connected, dones, opened)) {
      expected.push({ kind: "rejected", path, texts: [], optional: true });
    }
  }
  return expected;
}

/** The editor was killed before it knew whether its decision counts: if it does, no other one follows. */
const isUnanswered = (diff: Tracked, dones: readonly Done[]) =>
  dones.some(
    (done) =>
      done.diff === diff &&
      (done.action.do === "accept" || done.action.do === "reject") &&
      done.result === undefined &&
      done.error !== undefined,
  );

/** Paths of proposals that were on their way to the screen when the editor ended. */
function unseen(connected: Connected, dones: readonly Done[], opened: readonly Tracked[]): string[] {
  const shown = opened.map(({ path }) => path);
  return dones
    .filter(({ action, connected: by }) => action.do === "open" && by === connected)
    .flatMap(({ path = "" }) => {
      const index = shown.indexOf(path);
      if (index < 0) return [path];
      shown.splice(index, 1);
      return [];
    });
}

/** What may have been on the screen when a call of its CLI ended a diff of this path. */
function textsOf(path: string, own: readonly End[], dones: readonly Done[]): string[] {
  const edits = dones.flatMap(({ diff, action }) =>
    diff?.path === path && action.do === "edit" ? [diff.text, action.text] : [],
  );
  const ended = own.filter(({ diff }) => diff.path === path);
  const closed = ended.flatMap((end) => end.closed).map(({ diff }) => diff.text);
  return [...edits, ...(closed.length > 0 ? closed : ended.map(({ diff }) => diff.text))];
}

/** Its companion has ended cleanly with the stream open: the session must receive rejections. */
const receivesEnd = ({ end, abandonedAt, droppedAt }: Connected) =>
  (end === "restart" || end === "kill editor") && abandonedAt === undefined && droppedAt === undefined;

/** It leaves, or is killed, while its companion ends: it may receive that end, and need not. */
const leavesAsItEnds = (connected: Connected, dones: readonly Done[]) =>
  dones.some((done) => done.connected === connected && ["leave", "kill cli"].includes(done.action.do)) &&
  dones.some((done) => isEnd(done, connected.editor));

function isMet({ kind, path, texts, lines }: Expected, outcome: CliOutcome): boolean {
  if (outcome.kind !== kind || outcome.filePath !== path) return false;
  if (outcome.kind === "rejected" || texts.includes(outcome.content)) return true;
  const all = new Set(linesOf(outcome.content));
  return lines?.every((line) => all.has(line)) ?? false;
}

const toText = (outcome: CliOutcome) =>
  `${outcome.filePath} ${outcome.kind}${outcome.kind === "accepted" ? ` ${quote(outcome.content)}` : ""}`;
