import type { FolderRow } from "../model/folder-rows.ts";
import { latinKey } from "../model/key-name.ts";

interface TreeMoves {
  moveTo(index: number): void;
  /** @param enter moves the focus to the text of a file */
  activate(row: FolderRow, enter?: boolean): void;
  /** Puts a reference to it, and to all that are marked with it, into the prompt of an agent. */
  send(row: FolderRow): void;
  /** Marks it to be sent with others, or not any more. */
  mark(row: FolderRow, isMarked?: boolean): void;
}

/**
 * Handles the keys of a tree, as in the ARIA Authoring Practices.
 * @returns whether the key was handled
 */
export function treeKey(
  event: KeyboardEvent,
  rows: readonly FolderRow[],
  current: number,
  { moveTo, activate, send, mark }: TreeMoves,
): boolean {
  const row = rows[current];
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { entry, isOpen, level } = row;
  const isFolder = entry.kind === "folder";
  const key = latinKey(event);
  switch (key) {
    case "ArrowDown":
    case "ArrowUp": {
      const next = current + (key === "ArrowDown" ? 1 : -1);
      if (event.shiftKey) for (const one of [row, rows[next]]) if (one) mark(one, true);
      moveTo(next);
      return true;
    }
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
    case "v":
      mark(row);
      return true;
    case "s":
      send(row);
      return true;
    default:
      return false;
  }
}
