import nodePath from "node:path";
import { isInside } from "./workspace-path.ts";

/** The innermost of the open folders that holds a file. @param path absolute */
export function rootOf(
  path: string,
  roots: readonly string[],
  system: typeof nodePath = nodePath,
): string | undefined {
  const holding = roots.filter((root) => isInside(path, root, system));
  return holding.sort((one, other) => other.length - one.length)[0];
}
