import nodePath from "node:path";
import ignore from "ignore";
import { isInside } from "../../files/workspace-path.ts";

export interface ExclusionOptions {
  /** As in a `.gitignore`; case does not count. */
  readonly patterns: readonly string[];
  /** Absolute paths of the open folders, from which the patterns count. */
  readonly roots: readonly string[];
}

/** Whether the user wants a file kept from the agents. */
export type IsExcluded = (path: string) => boolean;

/** Patterns that cannot be understood exclude nothing, as in a `.gitignore`. */
export function createExclusion({ patterns, roots }: ExclusionOptions): IsExcluded {
  const rules = ignore().add([...patterns]);
  return (path) => namesOf(path, roots).some((name) => rules.ignores(name));
}

/**
 * A file's names in the open folders that hold it; of one outside of all, from the top of its disk. A backup or a
 * temporary file has the names of the file that it was made of as well.
 */
function namesOf(path: string, roots: readonly string[]): readonly string[] {
  const holding = roots.filter((root) => isInside(path, root));
  const tops = holding.length > 0 ? holding : [nodePath.parse(path).root];
  const { dir } = nodePath.parse(path);
  return tops
    .flatMap((top) => originalsOf(nodePath.basename(path)).map((name) => [top, nodePath.join(dir, name)]))
    .map(([top = "", file = ""]) => nodePath.relative(top, file).split(nodePath.sep).join("/"))
    .filter((name) => name !== "" && ignore.isPathValid(name));
}

/** What editors and people put behind a name when they make another file of it. */
const addition =
  /(?:~\d*|[._ -](?:~?\d+~?|bak|backup|old|orig|original|copy|save|saved|tmp|temp|rej|new|prev|dist|sw[a-px]|un~|kate-swp)| \(\d+\))$/i;

/** A name, and those of the files that it may be a backup or a temporary file of. */
function originalsOf(name: string): readonly string[] {
  // Vim may name a whole path, and Emacs puts signs around a name.
  let rest = name.replace(/^.*%(?=.)/, "").replace(/^\.?#(.+?)#?$/, "$1");
  const names = [name, rest];
  while (addition.test(rest) && rest.search(addition) > 0) {
    rest = rest.replace(addition, "");
    names.push(rest, rest.replace(/^\.(?=.)/, ""));
  }
  return [...new Set(names)];
}
