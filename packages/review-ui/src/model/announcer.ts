import { type ReadonlySignal, signal } from "@preact/signals";

/** What a screen reader says without being asked. */
export interface Announcer {
  readonly text: ReadonlySignal<string>;
  say(text: string): void;
}

export function createAnnouncer(): Announcer {
  const text = signal("");
  return {
    text,
    say: (next) => {
      // The same words twice are no change, and would not be read.
      text.value = next === text.value ? `${next}\u00a0` : next;
    },
  };
}
