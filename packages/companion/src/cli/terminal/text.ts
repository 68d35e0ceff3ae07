import path from "node:path";

/** A path as people write it: with a tilde for their home. */
export function toDisplayPath(file: string, home: string, system: typeof path = path): string {
  if (home === "" || system.dirname(home) === home) return file;
  if (file === home) return "~";
  return file.startsWith(home + system.sep) ? `~${file.slice(home.length)}` : file;
}

/** `gemini, qwen, or claude`, in parts, so that each can be painted. */
export const orList = (names: readonly string[]) =>
  new Intl.ListFormat("en", { type: "disjunction" }).formatToParts(names);

/** Breaks at spaces only: what is to be copied must not be cut. */
export function wrapWords(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** @param milliseconds since something began; clocks may disagree */
export function toDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** How a file is named on the terminal: relative to its root, with that one's name when there are several. */
export function toLabel(file: string, roots: readonly string[], home: string): string {
  const root = roots.find((candidate) => file.startsWith(candidate + path.sep));
  if (root === undefined) return toDisplayPath(file, home);
  const relative = path.relative(root, file);
  return roots.length === 1 ? relative : path.join(path.basename(root), relative);
}
