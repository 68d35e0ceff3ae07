import { holdsText } from "../../packages/companion/src/core/edits/file-check.ts";
import type { Fixture } from "./fixture.ts";
import { judgeOutcomes } from "./judge-outcomes.ts";
import { judgeOwed, orphanPatience } from "./judge-owed.ts";
import {
  type Complain,
  type Connected,
  type End,
  isCall,
  isEnd,
  linesOf,
  ownLines,
  type Proposed,
  quote,
  type Seen,
  type Tracked,
} from "./record.ts";

/** The effects of a burst. */
export type Judgement = ReturnType<typeof judge>;

/**
 * Compares what can be seen after a burst with the contract.
 * @returns `complaints`, empty when everything is as it must be, and `after`, the diffs that are shown now
 */
export function judge(fixture: Fixture, seen: Seen) {
  const complaints: string[] = [];
  const complain = (text: string) => void complaints.push(text);
  const opened = judgeShown(fixture, seen, complain);
  const all = [...seen.before, ...opened];
  const ends = all.map((diff) => endOf(diff, seen));
  for (const end of ends) judgeEnd(fixture, seen, end, complain);
  judgeCalls(seen, all, ends, complain);
  judgeOwed(fixture, seen, ends, complain);
  const after = all.filter(({ editor, id }) => fixture.drivers[editor]?.diffs.has(id));
  judgeScreens(fixture, after, complain);
  judgeOutcomes(seen, ends, complain);
  judgeFiles(fixture, seen, complain);
  return { complaints, ends, after };
}

/** What a session has proposed and no screen has shown; nothing as long as it lives: then that is waited for. */
export function underwayAfter(connected: Connected, seen: Seen, ends: readonly End[]): Proposed[] {
  if (!connected.isOver) return [];
  const underway = proposedBy(connected, seen);
  const opened = ends.map(({ diff }) => diff).filter((diff) => !seen.before.includes(diff));
  for (const { path, proposed } of opened.filter((diff) => diff.connected === connected)) {
    const index = underway.findIndex((one) => one.path === path && one.text === proposed);
    if (index >= 0) underway.splice(index, 1);
  }
  return underway;
}

/** In a burst, or before it if it had ended before that was shown. */
const proposedBy = (by: Connected, { dones }: Seen): Proposed[] => [
  ...by.underway,
  ...dones.flatMap(({ action, connected, path = "" }) =>
    action.do === "open" && connected === by ? [{ path, text: action.text }] : [],
  ),
];

const nameOf = ({ editor, id, path, connected }: Tracked) =>
  `diff ${id} of ${path} by ${connected.session.label} in editor ${editor}`;

/** Every proposal on a screen was made, and shows what was proposed. */
function judgeShown(fixture: Fixture, seen: Seen, complain: Complain): Tracked[] {
  const { dones, sessions, news } = seen;
  const opened: Tracked[] = [];
  for (const [editor, happened] of news.entries()) {
    for (const each of happened) {
      if (each.kind !== "shown") continue;
      const { id, agent, filePath: path, proposed } = each.diff;
      const madeBy = (one: Connected) => proposedBy(one, seen).filter((proposal) => proposal.path === path);
      const shownOf = (one: Connected) =>
        opened.filter((diff) => diff.connected === one && diff.path === path);
      // A companion gives the name of a session that is over to the next one.
      const connected = sessions.find(
        (one) =>
          one.editor === editor && one.session.label === agent && madeBy(one).length > shownOf(one).length,
      );
      if (!connected) {
        complain(`editor ${editor} shows a proposal of ${path} by ${agent} that no CLI has made`);
        continue;
      }
      const texts = madeBy(connected).map(({ text }) => text);
      const mark = "\uFEFF";
      const marked =
        connected.session.behaviour.dropsByteOrderMark && fixture.hasMark(path) && proposed.startsWith(mark);
      // The companion has written the file before it asked the editor.
      const isMerged = dones.some(({ action, path: of }) => action.do === "acceptDiff" && of === path);
      const holds = (text: string) => linesOf(text).every((line) => linesOf(proposed).includes(line));
      const isExact = texts.includes(proposed) || (marked && texts.includes(proposed.slice(mark.length)));
      if (!isExact && !(isMerged && texts.some(holds))) {
        complain(`editor ${editor} shows ${quote(proposed)}, proposed was ${texts.map(quote).join(" or ")}`);
      }
      opened.push({ editor, id, path, proposed, connected, isOfThisSequence: true, text: proposed });
    }
  }
  for (const { connected, path = "", action, reply } of dones) {
    if (action.do !== "open" || !connected || connected.isOver) continue;
    if (reply?.ok !== true) complain(`${connected.session.label} could not open ${path}: ${reply?.reason}`);
    const shown = opened.filter((diff) => diff.connected === connected && diff.path === path);
    const wanted = proposedBy(connected, seen).filter((one) => one.path === path);
    if (shown.length !== wanted.length)
      complain(`${wanted.length} proposals of ${path} led to ${shown.length} diffs`);
  }
  return opened;
}

function endOf(diff: Tracked, { dones, news }: Seen): End {
  const taken = dones.filter((done) => done.diff === diff && done.result?.taken === true);
  const happened = news[diff.editor] ?? [];
  const closed = happened.filter((each) => each.kind === "closed").filter((each) => each.diff.id === diff.id);
  return { diff, taken, closed };
}

/** Each proposal ends once, for a valid reason, and then leaves the screen. */
function judgeEnd(fixture: Fixture, seen: Seen, { diff, taken, closed }: End, complain: Complain): void {
  const { dones } = seen;
  const { connected, editor, path } = diff;
  const count = taken.length + closed.length;
  const isShown = fixture.drivers[editor]?.diffs.has(diff.id) === true;
  const isReplaced = dones.some((done) => isEnd(done, editor));
  if (count > 1) complain(`${nameOf(diff)} ended ${count} times`);
  if (isShown && count > 0) complain(`${nameOf(diff)} has ended and is still shown`);
  if (!isShown && count === 0 && !isReplaced) complain(`${nameOf(diff)} has vanished`);
  if (isShown && connected.isOver) {
    const since = connected.abandonedAt;
    if (since === undefined || performance.now() - since > orphanPatience) {
      complain(`${nameOf(diff)} stays open without its session`);
    }
  }
  for (const { reason } of closed) {
    const isMeant = {
      agent:
        dones.some((done) => isCall(done) && done.connected === connected && done.path === path) ||
        (connected.isOver && connected.session.behaviour.holdsCalls),
      replaced: proposedBy(connected, seen).some((one) => one.path === path),
      "session-ended": connected.isOver || connected.droppedAt !== undefined,
      shutdown: isReplaced,
      decided: false, // no page is open
    }[reason];
    if (!isMeant) complain(`${nameOf(diff)} was closed as "${reason}", and it was not`);
  }
  for (const { action, result, text, error } of dones.filter((done) => done.diff === diff)) {
    if (result === undefined && error === undefined) continue;
    const isEmpty = action.do === "accept" && text === "" && diff.proposed !== "";
    const isIgnored = isEmpty && connected.session.behaviour.ignoresEmptyText;
    if (isIgnored && result?.taken) complain(`${nameOf(diff)}: an empty text was accepted`);
    const isCalled =
      dones.some((call) => isCall(call) && call.connected === connected && call.path === path) &&
      result?.taken === false &&
      result.code === "agent-decides";
    const mustLook = result?.taken === false && asksToLook.has(result.code ?? "");
    if (!isIgnored && result?.taken === false && !isCalled && !mustLook && count === 0 && !isReplaced) {
      complain(`${nameOf(diff)}: the decision was refused: ${result.code}`);
    }
    if (error !== undefined && !isReplaced) complain(`${nameOf(diff)}: ${error}`);
    if (action.do === "accept" && result?.taken && result.code === undefined)
      judgeOverwritten(diff, seen, complain);
  }
}

/** What stood on disk when the user accepted is in the text, or was to be seen next to it. */
function judgeOverwritten(diff: Tracked, { dones }: Seen, complain: Complain): void {
  const { takesNoEdits } = diff.connected.session.behaviour;
  for (const { diff: of, action, text = "", proposed = "", base = "", onDisk = "" } of dones) {
    if (of !== diff || action.do !== "accept") continue;
    const accepted = linesOf(takesNoEdits ? proposed : text);
    // Written in the same burst, before the decision or after it.
    if (dones.some((done) => done.action.do === "acceptDiff" && done.path === diff.path)) continue;
    const lost = ownLines(onDisk, base).filter((line) => !accepted.includes(line));
    if (lost.length > 0) complain(`${nameOf(diff)}: accepting it takes ${lost.map(quote)} out of the file`);
  }
}

/** A CLI's call succeeds when there is a diff, and ends just that one. */
function judgeCalls(
  { dones }: Seen,
  all: readonly Tracked[],
  ends: readonly End[],
  complain: Complain,
): void {
  for (const { connected, path } of dones.filter(isCall)) {
    if (!connected || connected.isOver) continue;
    const calls = dones.filter((done) => isCall(done) && done.connected === connected && done.path === path);
    const succeeded = calls.filter(({ reply }) => reply?.ok === true);
    const closed = ends
      .filter(({ diff }) => diff.connected === connected && diff.path === path)
      .flatMap((end) => end.closed)
      .filter(({ reason }) => reason === "agent");
    if (succeeded.length !== closed.length) {
      complain(`${succeeded.length} calls for ${path} succeeded, ${closed.length} diffs were closed by them`);
    }
    for (const { action, reply } of succeeded) {
      if (action.do !== "close" || !reply?.ok || reply.text === undefined) continue;
      if (!closed.some(({ diff }) => diff.text === reply.text)) {
        complain(
          `closeDiff of ${path} gave ${quote(reply.text)}, shown was ${closed.map((one) => quote(one.diff.text))}`,
        );
      }
    }
    const open = all.filter((diff) => diff.connected === connected && diff.path === path);
    const isEmptied = connected.session.behaviour.ignoresEmptyText && open.some(({ text }) => text === "");
    const others = dones.filter((done) => done.path === path || done.diff?.path === path);
    for (const { reply, action } of calls) {
      const isMeant = reply && !reply.ok && (isEmptied || rightRefusal.test(reply.reason));
      if (
        reply?.ok === false &&
        !isMeant &&
        open.length > 0 &&
        others.length === 1 &&
        succeeded.length === 0
      ) {
        complain(`${action.do} of ${path} was refused although its diff was open: ${reply.reason}`);
      }
    }
  }
}

/** An agent writes no lines over those of others, and no file outside of the open folders. */
const rightRefusal = /its diff stays open: (it lies outside of the open folders$|.*has changed|.*is writing)/;

/** The file has changed, or another change of it was accepted: the user is to look first. */
const asksToLook: ReadonlySet<string> = new Set(["stale", "clash", "being-written"]);

/** A session has one diff a path at most; one that counts waits for as many as are shown. */
function judgeScreens(fixture: Fixture, after: readonly Tracked[], complain: Complain): void {
  const seen = new Set<string>();
  for (const { connected, path, editor } of after) {
    const key = `${editor} ${connected.port} ${connected.session.label} ${path}`;
    if (seen.has(key)) complain(`${connected.session.label} has two diffs of ${path}`);
    seen.add(key);
  }
  for (const connected of fixture.connected) {
    if (connected?.session.waiting === undefined) continue;
    const shown = after.filter((diff) => diff.connected === connected).length;
    const { waiting, label } = connected.session;
    if (waiting !== shown) complain(`${label} waits for ${waiting} diffs, ${shown} are shown`);
  }
}

/** Only the CLI writes a file, unless it asks the companion to. */
function judgeFiles(fixture: Fixture, { dones }: Seen, complain: Complain): void {
  for (const path of fixture.files) {
    const asked = dones.some(({ action, path: of }) => action.do === "acceptDiff" && of === path);
    const [now, before] = [fixture.read(path), fixture.ledger.get(path)];
    const isSame = now === before || (now !== undefined && before !== undefined && now.equals(before));
    if (!isSame && !asked) complain(`${path} was written by another process: ${quote(String(now))}`);
    const accepted = dones.filter(
      (done) => done.action.do === "acceptDiff" && done.path === path && done.reply?.ok,
    );
    const texts = accepted.flatMap(({ connected }) =>
      (connected?.session.outcomes ?? []).flatMap((one) =>
        one.kind === "accepted" && one.filePath === path ? [one.content] : [],
      ),
    );
    if (accepted.length > 0 && accepted.every((done) => done.connected?.session.isStreaming)) {
      if (!texts.some((text) => holdsText(path, text))) {
        complain(`${path} holds ${quote(String(now))} after acceptDiff, accepted was ${texts.map(quote)}`);
      }
    }
  }
}
