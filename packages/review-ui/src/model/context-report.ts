import { effect } from "@preact/signals";
import type { FilePosition } from "../editor/file-editor.ts";
import type { PageMessage } from "./api.ts";
import type { Tabs } from "./tabs.ts";

/** Tells the frontend what the user looks at: the open files, and where in the active one. */
export interface ContextReport {
  /** The cursor or the selection has moved. */
  placed(path: string, place: FilePosition): void;
  /** Says it again, to a frontend that has not heard it. */
  repeat(): void;
}

/** Milliseconds without a change after which it is told, and the longest that is waited for that. */
const quiet = 20;
const longest = 60;

export function createContextReport(tabs: Tabs, send: (message: PageMessage) => boolean): ContextReport {
  const places = new Map<string, FilePosition>();
  let timer: number | undefined;
  let waitingSince: number | undefined;

  function schedule(): void {
    const now = performance.now();
    waitingSince ??= now;
    clearTimeout(timer);
    timer = window.setTimeout(report, Math.max(0, Math.min(quiet, waitingSince + longest - now)));
  }

  function report(): void {
    clearTimeout(timer);
    waitingSince = undefined;
    const files = tabs.list.value.flatMap((tab) => (tab.kind === "file" ? [tab] : []));
    const open = new Set(files.map(({ path }) => path));
    for (const path of places.keys()) if (!open.has(path)) places.delete(path);
    const active = tabs.active.value;
    send({
      type: "context",
      files: files.map(({ path, focusedAt }) => ({ path, focusedAt, ...places.get(path) })),
      ...(active?.kind === "file" ? { activePath: active.path } : {}),
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
    placed: (path, place) => {
      places.set(path, place);
      schedule();
    },
    repeat: report,
  };
}
