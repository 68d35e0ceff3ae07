import { basename, relative, sep } from "node:path";
import ignore from "ignore";

export interface ExclusionOptions {
  /** As in a `.gitignore`. */
  readonly patterns: readonly string[];
  /** Absolute paths of the open folders, from which the patterns count. */
  readonly roots: readonly string[];
}

/** Whether the user wants a file kept from the agents. */
export type IsExcluded = (path: string) => boolean;

/** The patterns of a setting. Who has written something else than a list of texts wants to keep something: that keeps all. */
export function toPatterns(setting: unknown): readonly string[] {
  const isList = Array.isArray(setting) && setting.every((pattern) => typeof pattern === "string");
  return isList ? setting : ["*"];
}

/** Patterns that cannot be understood exclude nothing, as in a `.gitignore`. */
export function createExclusion({ patterns, roots }: ExclusionOptions): IsExcluded {
  const rules = ignore().add([...patterns]);
  return (path) => rules.ignores(nameFor(path, roots));
}

/** Within its folder; a file outside of every folder goes by its name alone. */
function nameFor(path: string, roots: readonly string[]): string {
  for (const root of roots) {
    const name = relative(root, path).split(sep).join("/");
    if (ignore.isPathValid(name) && name !== "") return name;
  }
  return basename(path);
}
