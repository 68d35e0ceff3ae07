import type { FolderRow } from "../model/folder-rows.ts";

export interface TreeMoves {
  moveTo(index: number): void;
  /** @param enter a file's text gets the focus */
  activate(row: FolderRow, enter?: boolean): void;
}

/**
 * The keys of a tree, as the ARIA Authoring Practices have them.
 * @returns whether the key was one of them
 */
export function treeKey(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  rows: readonly FolderRow[],
  current: number,
  { moveTo, activate }: TreeMoves,
): boolean {
  const row = rows[current];
  if (!row || ctrlKey || metaKey || altKey) return false;
  const { entry, isOpen, level } = row;
  const isFolder = entry.kind === "folder";
  switch (key) {
    case "ArrowDown":
      moveTo(current + 1);
      return true;
    case "ArrowUp":
      moveTo(current - 1);
      return true;
    case "Home":
      moveTo(0);
      return true;
    case "End":
      moveTo(rows.length - 1);
      return true;
    case "ArrowRight":
      if (isFolder && !isOpen) activate(row);
      else if (isFolder) moveTo(current + 1);
      return true;
    case "ArrowLeft":
      if (isFolder && isOpen) activate(row);
      else moveTo(rows.findLastIndex((other, index) => index < current && other.level < level));
      return true;
    case "Enter":
    case " ":
      activate(row, key === "Enter");
      return true;
    default:
      return false;
  }
}
