import type { IdeContext, OpenFile } from "../agents/gemini-family/contract/context.ts";
import { contextLimits, cutText } from "../core/context.ts";

export type { OpenFile };

/** What stands after a selection that was cut, so that a model does not take it for the whole. */
const cutMark = "... [TRUNCATED]";

/**
 * A context as the agent CLIs hand it to their models: newest focus first, cursor and selection of the one
 * active file only, 10 files, 16 384 characters. The order is by time alone: where the newest file is not active,
 * none is. The argument is not changed.
 * @see docs/reference/contract.md#3-context
 */
export function normalizeContext(context: IdeContext): IdeContext {
  const { workspaceState } = context;
  if (!workspaceState?.openFiles) return context;
  const [newest, ...others] = workspaceState.openFiles.toSorted((a, b) => b.timestamp - a.timestamp);
  const openFiles = [
    ...(newest ? [newest.isActive ? cutSelection(newest) : strip(newest)] : []),
    ...others.map(strip),
  ];
  return {
    ...context,
    workspaceState: { ...workspaceState, openFiles: openFiles.slice(0, contextLimits.files) },
  };
}

const strip = ({ path, timestamp }: OpenFile): OpenFile => ({ path, timestamp, isActive: false });

function cutSelection(file: OpenFile): OpenFile {
  const { selectedText = "" } = file;
  if (selectedText.length <= contextLimits.selectedText) return file;
  return { ...file, selectedText: `${cutText(selectedText, contextLimits.selectedText)}${cutMark}` };
}

/** What the user looks at, for everybody who wants to know. */
export interface ContextStore {
  /** Normalised; undefined while no IDE tells anything. */
  readonly context: IdeContext | undefined;
  set(context: IdeContext): void;
  clear(): void;
  /** Calls back with every change. @returns how to stop */
  onChange(listener: (context: IdeContext | undefined) => void): () => void;
}

export function createContextStore(): ContextStore {
  const listeners = new Set<(context: IdeContext | undefined) => void>();
  let present: IdeContext | undefined;
  const change = (context: IdeContext | undefined) => {
    present = context;
    for (const listener of [...listeners]) listener(context);
  };
  return {
    get context() {
      return present;
    },
    set: (context) => change(normalizeContext(context)),
    clear() {
      if (present !== undefined) change(undefined);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
