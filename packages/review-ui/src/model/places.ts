import type { EditorView } from "@codemirror/view";
import { type Place, placeIn } from "../editor/place.ts";
import { recall, remember } from "./preferences.ts";

/** Where the user was in the texts of the tabs before a reload. */
export type Places = ReturnType<typeof createPlaces>;

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
