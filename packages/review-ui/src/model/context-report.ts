import { effect } from "@preact/signals";
import type { FilePosition } from "../editor/file-editor.ts";
import type { PageMessage } from "./api.ts";
import type { Tabs } from "./tabs.ts";

/** Milliseconds for which changes are collected. */
const pace = 40;

/** Sends the open files and the position in the active one to the frontend. */
export type ContextReport = ReturnType<typeof createContextReport>;

export function createContextReport(tabs: Tabs, send: (message: PageMessage) => boolean) {
  const positions = new Map<string, FilePosition>();
  let timer: number | undefined;

  function schedule(): void {
    timer ??= window.setTimeout(report, pace);
  }

  function report(): void {
    clearTimeout(timer);
    timer = undefined;
    const files = tabs.list.value.flatMap((tab) => (tab.kind === "file" ? [tab] : []));
    const open = new Set(files.map(({ subject }) => subject));
    for (const path of positions.keys()) if (!open.has(path)) positions.delete(path);
    const active = tabs.active.value;
    send({
      type: "context",
      files: files.map(({ subject: path, focusedAt }) => ({ path, focusedAt, ...positions.get(path) })),
      ...(active?.kind === "file" ? { activePath: active.subject } : {}),
      focused: document.hasFocus(),
    });
  }

  effect(() => {
    tabs.list.value;
    tabs.active.value;
    schedule();
  });
  window.addEventListener("focus", schedule);
  window.addEventListener("blur", schedule);
  return {
    /** To be called when the cursor or the selection has moved. */
    setPosition: (path: string, position: FilePosition) => {
      positions.set(path, position);
      schedule();
    },
    /** Where the user is in a file that is open. */
    position: (path: string) => positions.get(path),
    /** That of the cursor there, from 1. */
    line: (path: string) => positions.get(path)?.cursor.line ?? 1,
    /** Sends it again, to a frontend that has just started. */
    repeat: report,
  };
}
