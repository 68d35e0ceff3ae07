import { EditorView } from "@codemirror/view";
import { recall, remember } from "./preferences.ts";

/** Where the user is in a text: positions in UTF-16 units. */
export interface Place {
  readonly anchor: number;
  readonly head: number;
  /** The first line that is visible. */
  readonly top: number;
}

/** Where the user was in the texts of the tabs before a reload. */
export interface Places {
  /** @param tab its id */
  of(tab: string): Place | undefined;
  /** @param frame the element in which the text scrolls @returns a function that stops it */
  watch(tab: string, view: EditorView, frame: HTMLElement): () => void;
}

export function createPlaces(): Places {
  const places = new Map<string, Place>();
  const known = recall(sessionStorage, "places");
  for (const [tab, place] of Object.entries(known ?? {})) if (isPlace(place)) places.set(tab, place);
  const readers = new Set<() => void>();
  window.addEventListener("pagehide", () => {
    for (const read of readers) read();
    remember(sessionStorage, "places", Object.fromEntries(places));
  });
  return {
    of: (tab) => places.get(tab),
    watch: (tab, view, frame) => {
      const read = () => {
        if (frame.offsetParent === null) return; // another tab is in front
        const { anchor, head } = view.state.selection.main;
        const height = frame.getBoundingClientRect().top - view.documentTop;
        places.set(tab, { anchor, head, top: view.lineBlockAtHeight(Math.max(0, height)).from });
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

/** Goes there, as far as the text is that long. */
export function showPlace(view: EditorView, { anchor, head, top }: Place): void {
  const at = (position: number) => Math.min(position, view.state.doc.length);
  view.dispatch({
    selection: { anchor: at(anchor), head: at(head) },
    effects: EditorView.scrollIntoView(at(top), { y: "start" }),
  });
}
