/** `. Did you mean X?` when one of the known words is near to what was typed; else nothing. */
export function suggest(typed: string, known: readonly string[]): string {
  const [nearest] = known
    .map((word) => ({ word, distance: distanceBetween(typed, word) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest === undefined ? "" : `. Did you mean ${nearest.word}?`;
}

/** How many characters must be put in, taken out or replaced to make one word of the other. */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
