import { type ReadonlySignal, signal } from "@preact/signals";
import type { Translate } from "../language/language.ts";
import type { Paths } from "../text/paths.ts";
import type { Announcer } from "./notifier.ts";
import { type Tabs, tabId } from "./tabs.ts";
import type { Toasts } from "./toasts.ts";
import { isDragging, isWriting } from "./user-focus.ts";

/** A position in a file that an agent or the user wants to see. */
export interface RequestedPosition {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly character: number;
}

export interface GuideOptions {
  readonly paths: ReadonlySignal<Paths>;
  readonly tabs: Tabs;
  readonly toasts: Toasts;
  readonly announcer: Announcer;
  readonly isSheetOpen: ReadonlySignal<boolean>;
  readonly t: Translate;
}

/** Opens files at a position, for agents and for the user. */
export type Guide = ReturnType<typeof createGuide>;

export function createGuide({ paths, tabs, toasts, announcer, isSheetOpen, t }: GuideOptions) {
  const wanted = signal<RequestedPosition | undefined>(undefined);

  const open = (path: string, line?: number, character?: number, options?: { readonly focus: boolean }) => {
    toasts.retract(tabId({ kind: "file", path }));
    if (line !== undefined) wanted.value = { path, line, character: character ?? 1 };
    tabs.open({ kind: "file", path }, options);
  };

  return {
    /** The editor goes there once it has the text of the file, and then sets it to undefined. */
    wanted,
    /** Opens it, at the user's request. */
    open,
    show: (path: string, line?: number, character?: number) => {
      const name = paths.value.baseName(path);
      const label = line === undefined ? name : t("$1, line $2", name, line);
      // The user reads or edits a proposal in front: nothing replaces it without a request.
      const isFree = tabs.active.value === undefined || tabs.active.value.kind === "file";
      if (isFree && !isWriting() && !isDragging() && !isSheetOpen.value) {
        announcer.announce(t("An agent shows you $1.", label));
        open(path, line, character);
        return;
      }
      const text = t("An agent wants to show you $1.", label);
      const action = { label: t("Show it"), run: () => open(path, line, character) };
      toasts.say({ level: "info", text, subject: tabId({ kind: "file", path }), action });
    },
  };
}
