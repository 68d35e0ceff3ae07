import { diffLines, linesOf } from "./line-diff.ts";

/** Two versions of a text in one: `clash` where both have changed the same lines, which then stand between markers. */
export interface Merged {
  readonly kind: "clean" | "clash";
  readonly text: string;
}

/** Lines that part the three versions where they clash, as git writes them. */
const markers = {
  onDisk: "<<<<<<< on disk",
  before: "||||||| before",
  between: "=======",
  proposed: ">>>>>>> ",
} as const;

/**
 * Merges what has become of a text on disk with what is proposed for it. Changes that touch each other clash, as in git.
 * @param before the text that both come from
 * @param label what the marker below the proposed lines calls them
 */
export function merge(before: string, onDisk: string, proposed: string, label = "proposed"): Merged {
  let kind: Merged["kind"] = "clean";
  const settle: Settle = (...versions) => {
    kind = "clash";
    return toConflict(...versions, label);
  };
  const text = mergeLines(before, onDisk, proposed, {
    touches: (edit, { end }) => edit.start <= end,
    settle,
  });
  return { kind, text };
}

/**
 * The same, without markers: where both have changed the same lines, ours stay. What is only next to each other does not
 * clash.
 * @param before the text that both come from
 */
export const adopt = (before: string, ours: string, theirs: string): string =>
  mergeLines(before, ours, theirs, { touches: overlaps, settle: (lines) => lines });

/** The same, without markers: where both have changed the same lines, ours stand above theirs. */
export const unite = (before: string, ours: string, theirs: string): string =>
  mergeLines(before, ours, theirs, {
    touches: overlaps,
    settle: (one, _before, other) => [...one, ...other],
  });

type Lines = readonly string[];

const overlaps: Rules["touches"] = (edit, { start, end }) =>
  edit.start < end || (edit.end === end && start === end);

/** What stands where both have changed the same lines. */
type Settle = (onDisk: Lines, before: Lines, proposed: Lines) => Lines;

interface Rules {
  /** Whether an edit is of the same lines as those before it; it begins behind their beginning. */
  readonly touches: (edit: Edit, region: Pick<Edit, "start" | "end">) => boolean;
  readonly settle: Settle;
}

function mergeLines(before: string, onDisk: string, proposed: string, { touches, settle }: Rules): string {
  const base = linesOf(before);
  const edits = [...editsOf(base, onDisk, "ours"), ...editsOf(base, proposed, "theirs")];
  // Of two in one place, the one that only puts lines in comes first.
  edits.sort((one, other) => one.start - other.start || one.end - other.end);
  const merged: Lines[] = [];
  let at = 0;
  for (let first = edits.shift(); first; first = edits.shift()) {
    const { start, end, taken } = takeRegion(first, edits, touches);
    merged.push(base.slice(at, start));
    const by = (side: Edit["side"]) => taken.filter((edit) => edit.side === side);
    const [one, other] = [apply(base, start, end, by("ours")), apply(base, start, end, by("theirs"))];
    if (by("ours").length === 0 || one.join("") === other.join("")) merged.push(other);
    else if (by("theirs").length === 0) merged.push(one);
    else merged.push(settle(one, base.slice(start, end), other));
    at = end;
  }
  return [...merged, base.slice(at)].flat().join("");
}

/**
 * Merges once more, where the text may still show how it clashed with `before`: that clash is made again from its three
 * versions, so that markers never stand within markers.
 * @param before the text on disk that the proposed one was merged with last
 */
export function mergeAgain(before: string, onDisk: string, proposed: string): Merged {
  if (!holdsClash(proposed)) return merge(before, onDisk, proposed);
  const sides = sidesOf(proposed, before.endsWith("\n"));
  if (sides) {
    const common = merge(sides.onDisk, before, sides.before);
    if (common.kind === "clean") return merge(common.text, onDisk, sides.proposed);
  }
  // Its user has changed the markers, or the lines next to them.
  const { kind, text } = merge(before, onDisk, proposed);
  return { kind: "clash", text: kind === "clash" ? proposed : text };
}

/** The three versions that a text with clashes shows; undefined where they cannot be separated. */
function sidesOf(text: string, endsWithNewline: boolean) {
  const marks: readonly string[] = [...Object.values(markers).slice(0, 3), `${markers.proposed}proposed`];
  const sides: readonly [string[], string[], string[]] = [[], [], []];
  /** How many markers of the present clash have come. */
  let passed = 0;
  for (const line of linesOf(text)) {
    const mark = marks.indexOf(line.replace(/\r?\n$/, ""));
    if (mark === passed) passed = (passed + 1) % marks.length;
    else if (mark >= 0 && !(passed === 0 && mark < 3)) return undefined;
    else if (passed === 0) for (const side of sides) side.push(line);
    else sides[passed - 1]?.push(line);
  }
  if (passed > 0) return undefined;
  // A clash ends each of its versions with a newline.
  const isLast = text.trimEnd().endsWith(`${markers.proposed}proposed`) && !endsWithNewline;
  const [onDisk, before, proposed] = sides.map((lines) => lines.join("")) as [string, string, string];
  const trim = (side: string) => (isLast ? side.replace(/\r?\n$/, "") : side);
  return { onDisk: trim(onDisk), before: trim(before), proposed };
}

/** Whether a text still holds the markers of a clash. */
export function holdsClash(text: string): boolean {
  const { onDisk, proposed } = markers;
  return text.split(/\r?\n/).some((line) => line === onDisk || line === `${proposed}proposed`);
}

/** Puts other lines in the place of those from `start` up to, and without, `end`. */
interface Edit {
  readonly side: "ours" | "theirs";
  readonly start: number;
  readonly end: number;
  readonly lines: Lines;
}

function editsOf(base: Lines, text: string, side: Edit["side"]): Edit[] {
  const lines = linesOf(text);
  return diffLines(base, lines).map(({ line, added, at, removed }) => ({
    ...{ side, start: at, end: at + removed },
    lines: lines.slice(line, line + added),
  }));
}

/** Takes those off a list that touch the one before them. */
function takeRegion(first: Edit, edits: Edit[], touches: Rules["touches"]) {
  const taken = [first];
  const { start } = first;
  let { end } = first;
  while (edits[0] && touches(edits[0], { start, end })) {
    end = Math.max(end, edits[0].end);
    taken.push(...edits.splice(0, 1));
  }
  return { start, end, taken };
}

/** The lines from `start` to `end` with these edits. */
function apply(base: Lines, start: number, end: number, edits: readonly Edit[]): Lines {
  const parts: Lines[] = [];
  let at = start;
  for (const edit of edits) {
    parts.push(base.slice(at, edit.start), edit.lines);
    at = edit.end;
  }
  return [...parts, base.slice(at, end)].flat();
}

function toConflict(onDisk: Lines, before: Lines, proposed: Lines, label: string): Lines {
  const end = [...onDisk, ...before, ...proposed].some((line) => line.endsWith("\r\n")) ? "\r\n" : "\n";
  const whole = (lines: Lines) => lines.map((line) => (line.endsWith("\n") ? line : `${line}${end}`));
  return [
    ...[`${markers.onDisk}${end}`, ...whole(onDisk)],
    ...[`${markers.before}${end}`, ...whole(before)],
    ...[`${markers.between}${end}`, ...whole(proposed)],
    `${markers.proposed}${label}${end}`,
  ];
}
