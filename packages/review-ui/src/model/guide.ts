import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Translate } from "../language/language.ts";
import type { Paths } from "../text/paths.ts";
import type { Announcer } from "./notifier.ts";
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
  /** The user wants to see it. */
  open(
    path: string,
    line: number | undefined,
    character: number | undefined,
    options?: { readonly focus: boolean },
  ): void;
}

export interface GuideOptions {
  readonly paths: ReadonlySignal<Paths>;
  readonly tabs: Tabs;
  readonly toasts: Toasts;
  readonly announcer: Announcer;
  readonly isSheetOpen: ReadonlySignal<boolean>;
  readonly t: Translate;
}

export function createGuide({ paths, tabs, toasts, announcer, isSheetOpen, t }: GuideOptions): Guide {
  const wanted = signal<WantedPlace | undefined>(undefined);

  const open: Guide["open"] = (path, line, character, options) => {
    toasts.retract(tabId({ kind: "file", path }));
    if (line !== undefined) wanted.value = { path, line, character: character ?? 1 };
    tabs.open({ kind: "file", path }, options);
  };

  return {
    wanted,
    open,
    show(path, line, character) {
      const name = paths.value.baseName(path);
      const place = line === undefined ? name : t("$1, line $2", name, line);
      // A proposal in front is being read, if not written in: nothing takes its place unasked.
      const isFree = tabs.active.value === undefined || tabs.active.value.kind === "file";
      if (isFree && !isWriting() && !isDragging() && !isSheetOpen.value) {
        announcer.say(t("An agent shows you $1.", place));
        open(path, line, character);
        return;
      }
      const text = t("An agent wants to show you $1.", place);
      announcer.say(text);
      const action = { label: t("Show it"), run: () => open(path, line, character) };
      toasts.show({ level: "info", text, subject: tabId({ kind: "file", path }), action });
    },
  };
}
