import type { EditsStore } from "../../packages/companion/src/core/edits/edits-store.ts";
import type { EditsFolder } from "../../packages/companion/src/core/edits/recovered-edits.ts";
import type { ShownDiff } from "../harness/driver.ts";
import type { Fixture } from "./fixture.ts";
import {
  type Complain,
  type Connected,
  type End,
  isEnd,
  isMerged,
  type Owed,
  quote,
  type Seen,
  type Tracked,
} from "./record.ts";

/** How long a companion waits for a session without a stream, with a margin for busy machines; in milliseconds. */
export const orphanPatience = 11_000 + 9_000;

/** A text is offered two seconds after its proposal has ended, later on busy machines; in milliseconds. */
const offerPatience = 2_000 + 8_000;

type Present = Pick<Fixture, "owed" | "read"> & { readonly edits: EditsStore; readonly folder: EditsFolder };

/** From now on, no typed text may be in memory only. */
export function judgeOwed(fixture: Present, seen: Seen, ends: readonly End[], complain: Complain): void {
  for (const one of ends.flatMap((end) => newlyOwed(end, seen))) {
    if (!isInFile(fixture, one) && find(fixture, one).length === 0)
      complain(nameOf(fixture, one, "is nowhere on disk"));
  }
}

/** Texts that are not settled after a burst: the companion still checks whether the file gets them. */
export function owedAfter(fixture: Present, seen: Seen, ends: readonly End[]): Owed[] {
  return unpaid(fixture, [...fixture.owed, ...ends.flatMap((end) => newlyOwed(end, seen))]);
}

/** Without those whose file holds them, and those that are offered: these the user takes. */
export function unpaid(fixture: Present, owed: readonly Owed[]): Owed[] {
  return owed.filter((one) => {
    if (isInFile(fixture, one)) return false;
    // A file that is being written is empty for a moment, and may be seen to hold it then.
    if (one.text === "" && find(fixture, one).length === 0) return false;
    // An open proposal may hold the same text, and is none that is offered.
    return !find(fixture, one).some((id) => fixture.edits.discard(id));
  });
}

/** After some time, a text is in its file or offered. */
export function judgeOffered(fixture: Present): string[] {
  fixture.owed = unpaid(fixture, fixture.owed);
  return fixture.owed.flatMap((one) => {
    if (find(fixture, one).length === 0) return [nameOf(fixture, one, "is lost")];
    return performance.now() - one.since > offerPatience ? [nameOf(fixture, one, "is never offered")] : [];
  });
}

/** What users have typed in open proposals and no file in the companions' folder holds: the ids of these diffs. */
export function unwritten(fixture: Present, diffs: ReadonlyMap<string, ShownDiff>): string[] {
  return [...diffs.values()]
    .filter(({ text, proposed }) => text !== proposed)
    .map(({ id, filePath: path, text }) => ({ id, path, text }))
    .filter((one) => !isInFile(fixture, one) && find(fixture, one).length === 0)
    .map(({ id }) => id);
}

/** Its companion may still notice that it has ended. */
export const isExpected = ({ abandonedAt }: Connected): boolean =>
  abandonedAt !== undefined && performance.now() - abandonedAt < orphanPatience;

function nameOf(fixture: Present, { id, path, text, connected, editor }: Owed, what: string): string {
  const held = fixture.read(path);
  return `diff ${id} of ${path} by ${connected.session.label} in editor ${editor}: what was typed ${what}: ${quote(text)}; the file ${held ? `holds ${quote(held.toString())}` : "does not exist"}`;
}

function newlyOwed({ diff, taken, closed }: End, seen: Seen): Owed[] {
  const { connected, editor, id, path } = diff;
  // Where the agent takes none, the user could not just edit and accept: a rejection gives nothing up.
  const outlasts = connected.session.behaviour.takesNoEdits;
  const texts = [
    // What was merged as it was accepted is judged by its lines.
    ...taken.filter(({ action, result }) => (action.do === "accept" ? !isMerged(result) : outlasts)),
    ...closed.map((one) => asWritten(one.diff, diff.editor, seen)),
    ...(taken.length + closed.length === 0 ? vanished({ diff, taken, closed }, seen) : []),
  ];
  const since = performance.now();
  return texts
    .filter(({ text, proposed }) => text !== proposed)
    .map(({ text = "" }) => ({ connected, editor, id, path, text, since }));
}

/** A diff with the text that its companion had time to write, if it was killed in the same burst. */
function asWritten(diff: ShownDiff, editor: number, { dones }: Seen): ShownDiff {
  const end = dones.find((done) => isEnd(done, editor) && done.action.do !== "restart");
  return { ...diff, ...end?.screen?.get(diff.id) };
}

/** What was on the screen when its companion ended; nothing when that cannot be said. */
function vanished({ diff }: End, { dones }: Seen): readonly Tracked[] {
  const isTouched = dones.some((done) => done.diff === diff || done.path === diff.path);
  const end = dones.find((done) => isEnd(done, diff.editor));
  return end && !isTouched ? [{ ...diff, ...end.screen?.get(diff.id) }] : [];
}

/** As it is, or with the byte order mark and the line ends of its file, which agents put back. */
function isInFile(fixture: Present, { path, text }: Pick<Owed, "path" | "text">): boolean {
  const held = fixture.read(path)?.toString();
  if (held === undefined || held === text) return held === text;
  const unmarked = text.startsWith("\uFEFF") ? held : held.replace(/^\uFEFF/, "");
  return (text.includes("\r\n") ? unmarked : unmarked.replaceAll("\r\n", "\n")) === text;
}

/** The records on disk, whether they are offered already or not. */
function find({ folder }: Present, { path, text }: Pick<Owed, "path" | "text">): readonly string[] {
  const bytes = Buffer.byteLength(text);
  return folder
    .scan()
    .records.filter((record) => record.filePath === path && record.bytes === bytes)
    .flatMap(({ id }) => (folder.read(id)?.text === text ? [id] : []));
}
