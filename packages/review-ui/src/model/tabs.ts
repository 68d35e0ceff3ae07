import type { EditorView } from "@codemirror/view";
import { computed, effect, signal } from "@preact/signals";
import { type Place, placeIn } from "../editor/place.ts";
import { recall, remember } from "./preferences.ts";

const kinds = ["file", "proposal", "recovered", "history", "written", "waiting"] as const;

/** What a tab shows. */
export interface TabContent {
  readonly kind: (typeof kinds)[number];
  /** The path of a file, or the id of what else it is: of a group of waiting changes its key, or `all`. */
  readonly subject: string;
}

export interface Tab extends TabContent {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly focusedAt: number;
}

export const tabId = ({ kind, subject }: TabContent): string => `${kind}:${subject}`;

/** The open tabs, from left to right. */
export type Tabs = ReturnType<typeof createTabs>;

export function createTabs() {
  const list = signal<readonly Tab[]>([]);
  const activeId = signal<string | undefined>(undefined);
  const focusWanted = signal<string | undefined>(undefined);
  const active = computed(() => list.value.find(({ id }) => id === activeId.value));

  function activate(id: string): void {
    activeId.value = id;
    const focusedAt = Date.now();
    list.value = list.value.map((tab) => (tab.id === id ? { ...tab, focusedAt } : tab));
  }

  function open(content: TabContent, { focus } = { focus: false }): void {
    const id = tabId(content);
    if (focus) focusWanted.value = id;
    if (!list.value.some((tab) => tab.id === id))
      list.value = [...list.value, { ...content, id, focusedAt: 0 }];
    activate(id);
  }

  function close(id: string): void {
    const rest = list.value.filter((tab) => tab.id !== id);
    const before = rest.toSorted((one, other) => other.focusedAt - one.focusedAt)[0];
    const wasActive = activeId.value === id;
    list.value = rest;
    if (!wasActive) return;
    if (before) activate(before.id);
    else activeId.value = undefined;
  }

  return {
    list,
    active,
    /** The id of a tab whose text gets the focus once it is loaded. */
    focusWanted,
    open,
    activate,
    /** Closes a tab and activates the one that was active before. */
    close,
    /** Activates the next or previous tab. After the last comes the first. */
    step: (direction: 1 | -1) => {
      const index = list.value.findIndex(({ id }) => id === activeId.value);
      const next = list.value.at((index + direction) % list.value.length);
      if (next) activate(next.id);
    },
  };
}

/** Opens the tabs that were open before a reload, and stores the open ones from now on. */
export function restoreTabs(tabs: Tabs): void {
  const known = recall(sessionStorage, "tabs");
  for (const one of Array.isArray(known) ? known : []) {
    const content = toContent(one);
    if (content) tabs.open(content);
  }
  const active = recall(sessionStorage, "active");
  if (typeof active === "string" && tabs.list.value.some(({ id }) => id === active)) tabs.activate(active);
  effect(() => {
    remember(
      sessionStorage,
      "tabs",
      tabs.list.value.map(({ id }) => id),
    );
    remember(sessionStorage, "active", tabs.active.value?.id);
  });
}

/** The inverse of `tabId`. */
function toContent(id: unknown): TabContent | undefined {
  const [, name, subject] = (typeof id === "string" && /^(\w+):(.+)$/s.exec(id)) || [];
  const kind = kinds.find((one) => one === name);
  return kind && subject !== undefined ? { kind, subject } : undefined;
}

/** Where the user was in the texts of the tabs before a reload. */
export function createPlaces() {
  const places = new Map<string, Place>();
  const known = recall(sessionStorage, "places");
  for (const [tab, place] of Object.entries(known ?? {})) if (isPlace(place)) places.set(tab, place);
  const readers = new Set<() => void>();
  window.addEventListener("pagehide", () => {
    for (const read of readers) read();
    remember(sessionStorage, "places", Object.fromEntries(places));
  });
  return {
    /** @param tab its id */
    of: (tab: string) => places.get(tab),
    /** @param frame the element in which the text scrolls @returns a function that stops it */
    watch: (tab: string, view: EditorView, frame: HTMLElement) => {
      const read = () => {
        if (frame.offsetParent === null) return; // another tab is in front
        places.set(tab, placeIn(view, frame));
      };
      readers.add(read);
      frame.addEventListener("scroll", read, { capture: true, passive: true });
      return () => {
        readers.delete(read);
        frame.removeEventListener("scroll", read, { capture: true });
      };
    },
  };
}

function isPlace(value: unknown): value is Place {
  const numbers: readonly unknown[] = typeof value === "object" && value ? Object.values(value) : [];
  return numbers.length === 3 && numbers.every((one) => typeof one === "number");
}
