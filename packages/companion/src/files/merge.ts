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
  const ours = editsOf(base, linesOf(onDisk));
  const theirs = editsOf(base, linesOf(proposed));
  const merged: Lines[] = [];
  let at = 0;
  while (ours.length > 0 || theirs.length > 0) {
    const { start, end, ours: mine, theirs: yours } = takeRegion(ours, theirs, touches);
    merged.push(base.slice(at, start));
    const [one, other] = [apply(base, start, end, mine), apply(base, start, end, yours)];
    if (mine.length === 0 || isSame(one, other)) merged.push(other);
    else if (yours.length === 0) merged.push(one);
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
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

function editsOf(base: readonly string[], text: readonly string[]): Edit[] {
  return diffLines(base, text).map(({ line, added, at, removed }) => ({
    ...{ start: at, end: at + removed },
    lines: text.slice(line, line + added),
  }));
}

interface Region {
  readonly start: number;
  readonly end: number;
  readonly ours: readonly Edit[];
  readonly theirs: readonly Edit[];
}

/** Takes the first edit off the lists, with all that touch it. */
function takeRegion(ours: Edit[], theirs: Edit[], touches: Rules["touches"]): Region {
  const taken: { readonly ours: Edit[]; readonly theirs: Edit[] } = { ours: [], theirs: [] };
  const region = { start: 0, end: -1 };
  const take = (from: Edit[], to: Edit[]): boolean => {
    const [edit] = from;
    if (edit === undefined || !(region.end < 0 || touches(edit, region))) return false;
    to.push(edit);
    from.shift();
    if (region.end < 0) region.start = edit.start;
    region.end = Math.max(region.end, edit.end);
    return true;
  };
  if (isFirst(ours[0], theirs[0])) take(ours, taken.ours);
  else take(theirs, taken.theirs);
  while (take(ours, taken.ours) || take(theirs, taken.theirs));
  return { ...region, ...taken };
}

/** Of two in one place that comes first which only puts lines in. */
function isFirst(one: Edit | undefined, other: Edit | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  return one.start === other.start ? one.end <= other.end : one.start < other.start;
}

/** The lines from `start` to `end` with these edits. */
function apply(base: readonly string[], start: number, end: number, edits: readonly Edit[]): string[] {
  const parts: (readonly string[])[] = [];
  let at = start;
  for (const edit of edits) {
    parts.push(base.slice(at, edit.start), edit.lines);
    at = edit.end;
  }
  return [...parts, base.slice(at, end)].flat();
}

function toConflict(
  onDisk: readonly string[],
  before: readonly string[],
  proposed: readonly string[],
  label: string,
): string[] {
  const end = [...onDisk, ...before, ...proposed].some((line) => line.endsWith("\r\n")) ? "\r\n" : "\n";
  const whole = (lines: readonly string[]) =>
    lines.map((line) => (line.endsWith("\n") ? line : `${line}${end}`));
  return [
    ...[`${markers.onDisk}${end}`, ...whole(onDisk)],
    ...[`${markers.before}${end}`, ...whole(before)],
    ...[`${markers.between}${end}`, ...whole(proposed)],
    `${markers.proposed}${label}${end}`,
  ];
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index]);
