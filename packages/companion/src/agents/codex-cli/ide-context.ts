import path from "node:path";
import type { Context } from "../../core/context.ts";
import { isInside, toRealPath } from "../../files/workspace-path.ts";
import { toSelection, type WirePosition } from "../selection.ts";
import type { IpcRequest } from "./messages.ts";

interface TabInfo {
  /** The base name. */
  readonly label: string;
  /** From the CLI's folder, or absolute outside of it. The model reads it as it is. */
  readonly path: string;
  /** Absolute. */
  readonly fsPath: string;
}

interface WireRange {
  readonly start: WirePosition;
  readonly end: WirePosition;
}

/** The answer that the CLI takes; one field less, and it refuses the whole. */
export interface IdeContext {
  readonly activeFile:
    | (TabInfo & {
        readonly selection: WireRange;
        readonly activeSelectionContent: string;
        /** Those that are not empty. */
        readonly selections: readonly WireRange[];
      })
    | null;
  readonly openTabs: readonly TabInfo[];
}

/** @param workspaceRoot the folder in which the CLI works, absolute, without symlinks */
export function toIdeContext(context: Context, workspaceRoot: string): IdeContext {
  const toTab = (file: string): TabInfo => ({
    label: path.basename(file),
    path: pathFor(file, workspaceRoot),
    fsPath: file,
  });
  const { text, filePath, selection } = toSelection(context);
  const { start, end } = selection;
  return {
    activeFile:
      filePath === undefined
        ? null
        : {
            ...toTab(filePath),
            selection: { start, end },
            activeSelectionContent: text,
            selections: text === "" ? [] : [{ start, end }],
          },
    openTabs: context.files.map((file) => toTab(file.path)),
  };
}

function pathFor(file: string, workspaceRoot: string): string {
  const inside = [file, toRealPath(file)].find((each) => isInside(each, workspaceRoot));
  return inside === undefined ? file : path.relative(workspaceRoot, inside);
}

/** How a question concerns a companion: another version of it can only be refused, by another error. */
export type Concern = "own" | "other-version" | "below" | "none";

export const isAnswerable = (concern: Concern): boolean => concern === "own" || concern === "below";

/**
 * Whether a question is about the folders of a companion: the CLI works in one, or below it; or (`below`) only above
 * it, for which another companion may be the better one.
 * @param roots absolute
 * @param toReal follows symlinks, unless the folders are another machine's
 */
export function concernOf(
  { method, version, params }: IpcRequest,
  roots: readonly string[],
  toReal = toRealPath,
): Concern {
  const { workspaceRoot } = params;
  if (method !== "ide-context" || typeof workspaceRoot !== "string") return "none";
  const folder = toReal(workspaceRoot);
  const real = roots.map(toReal);
  const isOwn = real.some((root) => isInside(folder, root));
  if (!isOwn && !real.some((root) => isInside(root, folder))) return "none";
  if (version !== 0) return "other-version";
  return isOwn ? "own" : "below";
}
