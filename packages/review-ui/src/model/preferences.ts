import { computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { DiffLayout } from "../editor/diff-editor.ts";

export type Theme = "system" | "light" | "dark";

/** A part of the page next to the text. In a narrow window it is an overlay. */
export type Area = "sidebar" | "panel";

/** A value that can be read and set. */
export interface Setting<T> {
  value: T;
}

export function assign<T>(setting: Setting<T>, value: T): void {
  setting.value = value;
}

export function flip(setting: Setting<boolean>): void {
  setting.value = !setting.value;
}

/** The user's settings of the page, stored in the browser. */
export type Preferences = ReturnType<typeof createPreferences>;

export function createPreferences() {
  const isNarrow = mediaQuery("(width < 800px)");
  const isCompact = mediaQuery("(width < 1100px)");
  const layouts = ["side-by-side", "unified"] as const;
  const overlay = signal<Area | undefined>(undefined);
  const asOverlay = (area: Area): Setting<boolean> => ({
    get value() {
      return overlay.value === area;
    },
    set value(isOpen) {
      overlay.value = isOpen ? area : undefined;
    },
  });
  return {
    theme: remembered<Theme>("theme", ["system", "light", "dark"], "system"),
    // A narrow window has another setting, whose default is one column.
    layout: either(
      isCompact,
      remembered<DiffLayout>("layout.narrow", layouts, "unified"),
      remembered<DiffLayout>("layout", layouts, "side-by-side"),
    ),
    wrap: remembered("wrap", [true, false], true),
    /** Of code, in pixels. Editors measure it as they open. */
    codeSize: remembered<number>("size", codeSizes, 13),
    /** Waiting changes open in one scroll, and not one by one. */
    showsAllWaiting: remembered("waiting.all", [true, false], false),
    /** Lines that differ in white space alone are shown as unchanged. */
    hidesBlanks: remembered("blanks", [true, false], false),
    /** A Markdown text is shown as what it looks like, too. */
    isRendered: remembered("rendered", [true, false], false),
    isSidebarOpen: either(isNarrow, asOverlay("sidebar"), remembered("sidebar", [true, false], true)),
    isPanelOpen: either(isCompact, asOverlay("panel"), remembered("panel", [true, false], true)),
    /** Pixels; in a wide window. */
    widths: {
      sidebar: rememberedNumber("width.sidebar", widthLimits.usual.sidebar),
      panel: rememberedNumber("width.panel", widthLimits.usual.panel),
    },
    /** The areas that are overlays in a window of this width. Only one is open at a time. */
    overlays: computed(() => (isNarrow.value ? ["sidebar", "panel"] : isCompact.value ? ["panel"] : [])),
    /** The open overlay. */
    overlay,
  };
}

function mediaQuery(query: string): ReadonlySignal<boolean> {
  const list = window.matchMedia(query);
  const matches = signal(list.matches);
  list.addEventListener("change", () => {
    matches.value = list.matches;
  });
  return matches;
}

function either<T>(condition: ReadonlySignal<boolean>, one: Setting<T>, other: Setting<T>): Setting<T> {
  const current = () => (condition.value ? one : other);
  return {
    get value() {
      return current().value;
    },
    set value(next) {
      current().value = next;
    },
  };
}

function remembered<T>(key: string, allowed: readonly T[], fallback: T): Signal<T> {
  return rememberedIf(key, (known): known is T => allowed.some((one) => one === known), fallback);
}

function rememberedIf<T>(key: string, isAllowed: (known: unknown) => known is T, fallback: T): Signal<T> {
  const known = recall(localStorage, key);
  const value = signal(isAllowed(known) ? known : fallback);
  effect(() => remember(localStorage, key, value.value));
  return value;
}

const rememberedNumber = (key: string, fallback: number) =>
  rememberedIf(key, (known) => typeof known === "number", fallback);

/** Pixels. */
export const widthLimits = { usual: { sidebar: 248, panel: 272 }, least: 180, most: 640 } as const;

/** Sets the theme of the document. Without one, the styles follow the system. */
export function followTheme(theme: ReadonlySignal<Theme>): void {
  effect(() => {
    if (theme.value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  });
}

export const codeSizes = [11, 12, 13, 14, 16, 18, 20, 24] as const;

/** Sets the size of all code. */
export function followCodeSize(size: ReadonlySignal<number>): void {
  effect(() => document.documentElement.style.setProperty("--code-size", `${size.value}px`));
}

/** Stores a value as JSON. A browser may forbid this. */
export function remember(storage: Storage, key: string, value: unknown): void {
  try {
    storage.setItem(`ide-companion.${key}`, JSON.stringify(value));
  } catch {
    // Full or forbidden: the page works without it.
  }
}

/** @returns undefined when no readable value is stored */
export function recall(storage: Storage, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(`ide-companion.${key}`) ?? "null") ?? undefined;
  } catch {
    return undefined; // forbidden, or not ours
  }
}
