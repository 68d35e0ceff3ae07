import { effect, type Signal, signal } from "@preact/signals";
import type { DiffLayout } from "../editor/diff-editor.ts";
import { recall, remember } from "./storage.ts";

export type Theme = "system" | "light" | "dark";

/** How this browser's user wants the page. */
export interface Preferences {
  readonly theme: Signal<Theme>;
  readonly layout: Signal<DiffLayout>;
  readonly wrap: Signal<boolean>;
  readonly isSidebarOpen: Signal<boolean>;
  readonly isPanelOpen: Signal<boolean>;
}

export function createPreferences(): Preferences {
  const isWide = window.innerWidth >= 1180;
  return {
    theme: remembered<Theme>("theme", ["system", "light", "dark"], "system"),
    layout: remembered<DiffLayout>(
      "layout",
      ["side-by-side", "unified"],
      isWide ? "side-by-side" : "unified",
    ),
    wrap: remembered("wrap", [true, false], true),
    isSidebarOpen: remembered("sidebar", [true, false], true),
    // On a narrow window the code needs the room: the panel is one click away.
    isPanelOpen: isWide ? remembered("panel", [true, false], true) : signal(false),
  };
}

function remembered<T>(key: string, allowed: readonly T[], fallback: T): Signal<T> {
  const known = recall(localStorage, key);
  const value = signal(allowed.find((one) => one === known) ?? fallback);
  effect(() => remember(localStorage, key, value.value));
  return value;
}
