import { cutText } from "./context.ts";
import type { Diagnostic, OptionalCapabilities } from "./editor.ts";
import type { Sharing } from "./sharing/sharing.ts";

/** What agents are sent of diagnostics at once. */
const limits = {
  /** Diagnostics, errors first. */
  diagnostics: 500,
  /** UTF-16 code units of one message. */
  message: 2000,
} as const;

/** What the user keeps from the agents. */
export type SharedFiles = Pick<Sharing, "isPaused" | "check" | "isOutside">;

/**
 * What an editor has found in the files that agents may know of.
 * @param path absolute; all files without it
 * @returns errors first, within the limits, and how many more there are; undefined while the user has paused sharing
 * @throws Error of the editor
 */
export async function findDiagnostics(editor: OptionalCapabilities, sharing: SharedFiles, path?: string) {
  const found = await keepShared((await editor.getDiagnostics?.(path)) ?? [], sharing);
  // It may have been paused while the editor was asked.
  if (sharing.isPaused) return undefined;
  const diagnostics = found
    .sort(byWeight)
    .slice(0, limits.diagnostics)
    .map((one) => ({ ...one, message: cutText(one.message, limits.message) }));
  return { diagnostics, omitted: found.length - diagnostics.length };
}

async function keepShared(found: readonly Diagnostic[], sharing: SharedFiles): Promise<Diagnostic[]> {
  const paths = [...new Set(found.map(({ filePath }) => filePath))];
  const isKept = new Map(
    await Promise.all(paths.map(async (path) => [path, await sharing.check(path)] as const)),
  );
  return found.filter(({ filePath }) => isKept.get(filePath) === false && !sharing.isOutside(filePath));
}

const weights = { error: 0, warning: 1, info: 2, hint: 3 } as const;

const byWeight = (one: Diagnostic, other: Diagnostic): number =>
  weights[one.severity] - weights[other.severity] ||
  (one.filePath < other.filePath ? -1 : Number(one.filePath > other.filePath)) ||
  one.line - other.line ||
  one.character - other.character;
