import { basename, dirname } from "node:path";
import { isIgnored, openIgnoreScope } from "../../files/ignore-scope.ts";
import { rootOf } from "../../files/workspace-path.ts";

/** How long a result counts, in milliseconds: the user who edits a `.gitignore` sees it count soon. */
const validity = 10_000;

/** Of one at a time, which files git ignores. */
export interface GitIgnored {
  /** Answers at once: a file that was not asked about before counts as ignored until that is known. */
  has(path: string): boolean;
  /** Answers when it is known. */
  check(path: string): Promise<boolean>;
}

/** @param onKnown a result is another one now */
export function createGitIgnored(
  roots: () => readonly string[],
  onKnown: () => void,
  now: () => number = Date.now,
): GitIgnored {
  const results = new Map<string, { ignored: boolean; checkedAt: number }>();

  async function check(path: string): Promise<boolean> {
    const folder = dirname(path);
    const scope = await openIgnoreScope(folder, rootOf(path, roots()) ?? folder);
    const ignored = isIgnored(scope, basename(path), false);
    const isNews = results.get(path)?.ignored !== ignored;
    results.set(path, { ignored, checkedAt: now() });
    if (isNews) onKnown();
    return ignored;
  }

  return {
    has(path) {
      const known = results.get(path);
      if (known === undefined || now() - known.checkedAt > validity) {
        results.set(path, { ignored: known?.ignored ?? true, checkedAt: now() });
        check(path).catch(() => results.delete(path)); // its folder is gone: asked again when it is back
      }
      return results.get(path)?.ignored ?? true;
    },
    check: (path) => check(path).catch(() => true), // as above
  };
}
