import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Paths } from "../text/paths.ts";
import type { Announcer } from "./announcer.ts";
import { type Tabs, tabId } from "./tabs.ts";
import type { Toasts } from "./toasts.ts";
import { isDragging, isWriting } from "./user-focus.ts";

/** A place in a file that an agent wants the user to see. */
export interface WantedPlace {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly character: number;
}

/** Leads the user to what an agent wants to be seen. */
export interface Guide {
  /** Shown as soon as its file's text is there, and then undefined. */
  readonly wanted: Signal<WantedPlace | undefined>;
  show(path: string, line: number | undefined, character: number | undefined): void;
}

export interface GuideOptions {
  readonly paths: ReadonlySignal<Paths>;
  readonly tabs: Tabs;
  readonly toasts: Toasts;
  readonly announcer: Announcer;
  readonly isSheetOpen: ReadonlySignal<boolean>;
}

export function createGuide({ paths, tabs, toasts, announcer, isSheetOpen }: GuideOptions): Guide {
  const wanted = signal<WantedPlace | undefined>(undefined);

  function open(path: string, line: number | undefined, character: number | undefined): void {
    toasts.retract(tabId({ kind: "file", path }));
    if (line !== undefined) wanted.value = { path, line, character: character ?? 1 };
    tabs.open({ kind: "file", path });
  }

  return {
    wanted,
    show(path, line, character) {
      const name = paths.value.baseName(path);
      const place = line === undefined ? name : `${name}, line ${line}`;
      // A proposal in front is being read, if not written in: nothing takes its place unasked.
      const isFree = tabs.active.value === undefined || tabs.active.value.kind === "file";
      if (isFree && !isWriting() && !isDragging() && !isSheetOpen.value) {
        announcer.say(`An agent shows you ${place}.`);
        open(path, line, character);
        return;
      }
      const text = `An agent wants to show you ${place}.`;
      announcer.say(text);
      const action = { label: "Show it", run: () => open(path, line, character) };
      toasts.show({ level: "info", text, subject: tabId({ kind: "file", path }), action });
    },
  };
}
