import path from "node:path";
import { toDisplayPath } from "../terminal/display-path.ts";

/** How a file is named on the terminal: relative to its root, with that one's name when there are several. */
export function toLabel(file: string, roots: readonly string[], home: string): string {
  const root = roots.find((candidate) => file.startsWith(candidate + path.sep));
  if (root === undefined) return toDisplayPath(file, home);
  const relative = path.relative(root, file);
  return roots.length === 1 ? relative : path.join(path.basename(root), relative);
}
