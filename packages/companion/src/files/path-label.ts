import nodePath from "node:path";
import { safeName } from "./safe-text.ts";
import { confine } from "./workspace-path.ts";

/** How a file is named to people, and whether it lies outside of the folders they opened. */
export interface PathLabel {
  /** Relative to its root, with the root's name before it when there are several; else the whole path. Nothing in it hides or steers. */
  readonly label: string;
  readonly outsideRoots: boolean;
}

export async function pathLabel(path: string, roots: readonly string[]): Promise<PathLabel> {
  const confined = await confine(path, roots);
  if (!confined?.relative) return { label: safeName(path), outsideRoots: confined === undefined };
  return { label: safeName(relativeLabel(confined.root, confined.relative, roots)), outsideRoots: false };
}

/** Milliseconds for which a label counts: agents propose changes of the same files in bursts. */
const lifetime = 100;

/** Labels of paths under the present roots, each looked up once in a while. */
export function createPathLabels(roots: () => readonly string[]) {
  const labels = new Map<string, Promise<PathLabel>>();
  let under = roots();

  return {
    of(path: string): Promise<PathLabel> {
      if (under !== roots()) labels.clear();
      under = roots();
      const known = labels.get(path);
      if (known) return known;
      if (labels.size === 0) setTimeout(() => labels.clear(), lifetime).unref();
      const label = pathLabel(path, under);
      labels.set(path, label);
      return label;
    },
  };
}

export function relativeLabel(root: string, relative: string, roots: readonly string[]): string {
  return roots.length > 1 ? nodePath.join(nodePath.basename(root), relative) : relative;
}
