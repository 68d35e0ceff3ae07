import { effect, signal } from "@preact/signals";
import type { Translate } from "../language/language.ts";
import type { FrontendState } from "./frontend-state.ts";

/** A live region: screen readers read each new text. */
export type Announcer = ReturnType<typeof createAnnouncer>;

export function createAnnouncer() {
  const text = signal("");
  return {
    text,
    announce: (next: string) => {
      // Screen readers ignore a text that does not change.
      text.value = next === text.value ? `${next}\u00a0` : next;
    },
  };
}

/** Shows how many changes wait for the user in the title of the page's tab. */
export function followTitle({ proposals, written, roots, paths }: FrontendState, t: Translate): void {
  effect(() => {
    const waiting = proposals.value.length + written.value.length;
    const folder = roots.value.map(paths.value.baseName).join(", ");
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${folder ? `${folder} – ` : ""}${t("Review")}`;
  });
}
