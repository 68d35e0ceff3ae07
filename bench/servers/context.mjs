import { join } from "node:path";

/** Ten files, as many as a context holds. */
const names = Array.from({ length: 10 }, (_, index) => `file-${index}.ts`);

/** Those of a folder, newest first. */
export const filesIn = (folder) => names.map((name) => join(folder, name));

/**
 * A snapshot as the `params` of `ide/contextUpdate`.
 * @param {readonly string[]} files absolute paths
 * @param {import("./commands.mjs").Snapshot} snapshot
 */
export function toIdeContext(files, { stamp, text }) {
  const openFiles = files.map((path, index) => ({ path, timestamp: 1_700_000_000_000 - index }));
  Object.assign(openFiles[0], {
    isActive: true,
    cursor: { line: stamp, character: 1 },
    selectedText: text,
  });
  return { workspaceState: { openFiles } };
}

/** A snapshot as an `Editor` reports it. */
export function toEditorContext(paths, { stamp, text }) {
  const files = paths.map((path, index) => ({ path, focusedAt: 1_700_000_000_000 - index }));
  files[0] = { ...files[0], cursor: { line: stamp, character: 1 }, selectedText: text };
  return { files, activePath: paths[0] };
}
