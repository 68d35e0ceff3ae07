import { basename, dirname } from "node:path";
import { isIgnored, openIgnoreScope } from "../../files/ignore-scope.ts";
import { rootOf, toRealPath } from "../../files/workspace-path.ts";
import type { Host } from "../../system/host.ts";
import { Listeners } from "../../system/listeners.ts";
import { defaultExclusions } from "./exclusion.ts";
import { createExclusion, type IsExcluded } from "./patterns.ts";
import { createPauseMarks } from "./pause-marks.ts";

/** The user's rules about what agents receive. */
export interface SharingOptions {
  readonly host: Host;
  /** Absolute paths of the open folders. */
  readonly roots: () => readonly string[];
  /** As in a `.gitignore`; by default files that hold keys, passwords and tokens by custom. */
  readonly exclude?: () => readonly string[];
  readonly excludeGitIgnored?: () => boolean;
}

/** What of the user's work agents are sent: which files, and whether any. */
export interface Sharing {
  /** Agents are sent nothing of what the user looks at. */
  readonly isPaused: boolean;
  /** Whether a file is kept from the agents. One that git may ignore is until that is known. */
  isExcluded(path: string): boolean;
  /** The same, when it is known. */
  check(path: string): Promise<boolean>;
  /** Whether a file lies in none of the open folders, of which there are some. */
  isOutside(path: string): boolean;
  /**
   * Pauses, or goes on. It is remembered for the open folders, and counts for all companions of them.
   * @throws Error when it cannot be remembered; then it counts for this companion alone
   */
  pause(isPaused: boolean): void;
  /** The options, or the open folders, are others now. */
  refresh(): void;
  /** Calls back when a file, or everything, may be shared that was not before, or the other way round. */
  onChange(listener: () => void): () => void;
  close(): void;
}

/** What agents are sent of the open folders, by the user's rules. @param input asked at every question, so that rules may change */
export function createSharing({
  host,
  roots,
  exclude = () => defaultExclusions,
  excludeGitIgnored = () => false,
}: SharingOptions): Sharing {
  const changes = new Listeners();
  const marks = createPauseMarks(host);
  const allRoots = rememberNames(roots);
  const gitIgnored = createGitIgnored(allRoots, changes.tell);
  const matches = rememberExclusion(() => ({ patterns: exclude(), roots: allRoots() }));
  /** What could not be remembered. */
  let isPausedHere = false;
  let isPaused = marks.has(roots());
  /** Nobody is there to be called back, at first. */
  let stopFollowing: (() => void) | undefined;

  function look(): void {
    const next = isPausedHere || marks.has(roots());
    if (next === isPaused) return;
    isPaused = next;
    changes.tell();
  }

  /** A link is excluded by its own name, and by that of the file to which it leads. */
  const namesOf = (path: string) => [...new Set([path, toRealPath(path)])];

  return {
    get isPaused() {
      if (!stopFollowing) look();
      return isPaused;
    },
    isExcluded(path) {
      const names = namesOf(path);
      return names.some(matches) || (excludeGitIgnored() && names.some(gitIgnored.has));
    },
    async check(path) {
      const names = namesOf(path);
      if (names.some(matches)) return true;
      return excludeGitIgnored() && (await Promise.all(names.map(gitIgnored.check))).includes(true);
    },
    isOutside(path) {
      const opened = allRoots();
      return opened.length > 0 && !namesOf(path).some((name) => rootOf(name, opened) !== undefined);
    },
    pause(wanted) {
      try {
        isPausedHere = false;
        if (wanted) marks.add(roots());
        else marks.remove(roots());
      } catch (error) {
        isPausedHere = wanted;
        throw error;
      } finally {
        look();
      }
    },
    refresh() {
      isPaused = isPausedHere || marks.has(roots());
      changes.tell();
    },
    onChange(listener) {
      stopFollowing ??= marks.follow(look);
      return changes.add(listener);
    },
    close() {
      stopFollowing?.();
      stopFollowing = undefined;
      changes.clear();
    },
  };
}

/** Files of a folder that was opened by a link have two names, and an editor may use either. */
function rememberNames(roots: () => readonly string[]): () => readonly string[] {
  let key = "";
  let names: readonly string[] = [];
  return () => {
    const next = roots().join("\0");
    if (next !== key) names = [...new Set(roots().flatMap((root) => [root, toRealPath(root)]))];
    key = next;
    return names;
  };
}

/** Patterns are compiled again only when they are others. */
function rememberExclusion(
  read: () => { readonly patterns: readonly string[]; readonly roots: readonly string[] },
): IsExcluded {
  let key = "";
  let matches: IsExcluded = () => true;
  return (path) => {
    const options = read();
    const next = JSON.stringify(options);
    if (next !== key) {
      key = next;
      matches = createExclusion(options);
    }
    return matches(path);
  };
}

/**
 * Whether git ignores a file.
 * @param roots absolute paths of the open folders: only what lies within them counts
 * @throws Error when its folder is gone
 */
export async function isGitIgnored(path: string, roots: readonly string[]): Promise<boolean> {
  const folder = dirname(path);
  const scope = await openIgnoreScope(folder, rootOf(path, roots) ?? folder);
  return isIgnored(scope, basename(path), false);
}

/** How long a result counts, in milliseconds: the user who edits a `.gitignore` sees it count soon. */
const validity = 10_000;

/** @param onKnown a result is another one now */
export function createGitIgnored(
  roots: () => readonly string[],
  onKnown: () => void,
  now: () => number = Date.now,
) {
  const results = new Map<string, { ignored: boolean; checkedAt: number }>();

  async function check(path: string): Promise<boolean> {
    const ignored = await isGitIgnored(path, roots());
    const isNews = results.get(path)?.ignored !== ignored;
    results.set(path, { ignored, checkedAt: now() });
    if (isNews) onKnown();
    return ignored;
  }

  return {
    /** A file that was not asked about before counts as ignored until that is known. */
    has(path: string) {
      const known = results.get(path);
      if (known === undefined || now() - known.checkedAt > validity) {
        results.set(path, { ignored: known?.ignored ?? true, checkedAt: now() });
        check(path).catch(() => results.delete(path)); // its folder is gone: asked again when it is back
      }
      return results.get(path)?.ignored ?? true;
    },
    check: (path: string) => check(path).catch(() => true), // as above
  };
}
