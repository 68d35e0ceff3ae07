import { diffArrays } from "diff";
import { toComparable, toFormOf } from "./comparable-text.ts";

/** Milliseconds for comparing texts that have little in common. */
const comparingTime = 2000;

/**
 * A text as it is written over a file: with the byte order mark and the line endings that this has. Where it mixes them,
 * its lines keep theirs, and additional ones get the most common.
 */
export function toWrittenForm(onDisk: string, text: string): string {
  const { text: before, lineEndings } = toComparable(onDisk, text);
  if (lineEndings !== "mixed") return toFormOf(onDisk, text);
  const endings = onDisk.match(/\r?\n/g) ?? [];
  const returns = endings.filter((ending) => ending === "\r\n").length;
  const usual = returns * 2 > endings.length ? "\r\n" : "\n";
  const [former, lines] = [before.split("\n"), text.split("\n")];
  const blocks = diffArrays(former, lines, { timeout: comparingTime }) ?? [
    { value: former, removed: true, added: false },
    { value: lines, removed: false, added: true },
  ];
  const chosen: string[] = [];
  let at = 0;
  /** Of lines that others replace. */
  let free: readonly string[] = [];
  for (const { value, removed, added } of blocks) {
    const own = added ? free : endings.slice(at, at + value.length);
    free = removed ? own : [];
    if (!added) at += value.length;
    if (!removed) chosen.push(...value.map((_, index) => own[index] ?? usual));
  }
  const written = lines.map((line, index) => (index < lines.length - 1 ? line + chosen[index] : line));
  return toFormOf(onDisk, written.join(""));
}
