import { realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import nodePath from "node:path";
import { codeOf } from "../system/error-message.ts";
import type { Host } from "../system/host.ts";
import { safeName } from "./safe-text.ts";

/** Roots as a discovery file and a terminal variable hold them; empty when no folder is open. */
export const toWorkspacePath = (roots: readonly string[], host: Host): string => roots.join(host.delimiter);

/** The roots of such a text. */
export const parseWorkspacePath = (text: string, host: Host): readonly string[] =>
  text.split(host.delimiter).filter((root) => root !== "");

/** Whether a resolved path is a folder itself or lies below it. */
export function isInside(path: string, folder: string, system: typeof nodePath = nodePath): boolean {
  const relative = system.relative(folder, path);
  return relative !== ".." && !relative.startsWith(`..${system.sep}`) && !system.isAbsolute(relative);
}

/** Whether a folder is one of these, or in one of them, after following symlinks. */
export const holds = (roots: readonly string[], folder: string): boolean =>
  innermostRoot(roots, folder) !== undefined;

/** The most specific root that holds a folder, after following symlinks; undefined when none does. */
export const innermostRoot = (roots: readonly string[], folder: string): string | undefined =>
  rootOf(toRealPath(folder), roots.map(toRealPath));

/** The native one also gives the spelling that a case-insensitive disk has. */
export function toRealPath(folder: string): string {
  try {
    return linkedPath(folder);
  } catch {
    return nodePath.resolve(folder); // a root that was deleted since: as it is written
  }
}

export interface LinkReaders {
  readonly native?: (path: string) => string;
  readonly own?: (path: string) => string;
  readonly platform?: NodeJS.Platform;
}

/**
 * Where a path leads once all links are followed.
 * @throws the file system's error
 */
export function linkedPath(
  path: string,
  { native = realpathSync.native, own = realpathSync, platform = process.platform }: LinkReaders = {},
): string {
  try {
    return native(path);
  } catch (error) {
    const code = codeOf(error);
    // Windows has no name for some files: on disks in memory, or for long paths. Node follows the links itself then.
    if (platform !== "win32" || (code !== "UNKNOWN" && code !== "EISDIR")) throw error;
    return own(path);
  }
}

/** The innermost of the open folders that holds a file. @param path absolute */
export function rootOf(
  path: string,
  roots: readonly string[],
  system: typeof nodePath = nodePath,
): string | undefined {
  const holding = roots.filter((root) => isInside(path, root, system));
  return holding.sort((one, other) => other.length - one.length)[0];
}

/** A path that lies inside a root, after every symlink on the way has been followed. */
export interface ConfinedPath {
  /** The root as it was given. */
  readonly root: string;
  readonly realRoot: string;
  /** Where the path really leads; its last parts may not exist. */
  readonly real: string;
  /** From the real root to the real path, empty for the root itself. */
  readonly relative: string;
}

/** @returns undefined when the path leads out of every root. */
export async function confine(path: string, roots: readonly string[]): Promise<ConfinedPath | undefined> {
  if (roots.length === 0) return undefined;
  const real = await realPathOf(path);
  for (const root of roots) {
    const realRoot = await realPathOf(root);
    if (isInside(real, realRoot)) {
      return { root, realRoot, real, relative: nodePath.relative(realRoot, real) };
    }
  }
  return undefined;
}

/** Like `linkedPath`, but what does not exist (or cannot be reached) stays as it is written. */
export async function realPathOf(path: string): Promise<string> {
  const missing: string[] = [];
  for (let existing = nodePath.resolve(path); ; existing = nodePath.dirname(existing)) {
    try {
      return nodePath.join(await followLinks(existing), ...missing);
    } catch {
      // Missing, a broken link, or a folder that may not be searched: its nearest existing parent decides.
      if (nodePath.dirname(existing) === existing) return nodePath.resolve(path);
      missing.unshift(nodePath.basename(existing));
    }
  }
}

const followLinks = (path: string): Promise<string> =>
  realpath(path).catch((error: unknown) => {
    const native = () => {
      throw error;
    };
    return linkedPath(path, { native });
  });

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

export type PathLabels = ReturnType<typeof createPathLabels>;

/** Labels of paths under the present roots, each looked up once in a while. */
export function createPathLabels(roots: () => readonly string[]) {
  const labels = new Map<string, Promise<PathLabel>>();
  let under: readonly string[] = [];

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
