import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Tabs } from "./tabs.ts";
import type { PageMessage } from "./wire.ts";

/** Which open files have changed on disk. */
export interface FileStamps {
  /** Grows with every change of the file. */
  changes(path: string): ReadonlySignal<number>;
  changed(path: string): void;
  /** Says again what is watched, to a frontend that has not heard it. */
  repeat(): void;
}

export function createFileStamps(tabs: Tabs, send: (message: PageMessage) => boolean): FileStamps {
  const counters = new Map<string, ReturnType<typeof signal<number>>>();

  function counter(path: string) {
    const known = counters.get(path) ?? signal(0);
    counters.set(path, known);
    return known;
  }

  function repeat(): void {
    const paths = tabs.list.value.flatMap((tab) => (tab.kind === "file" ? [tab.path] : []));
    send({ type: "watch", paths });
  }

  effect(repeat);
  return {
    changes: counter as (path: string) => ReadonlySignal<number>,
    changed: (path) => {
      const one = counter(path);
      one.value = (one.peek() ?? 0) + 1;
    },
    repeat,
  };
}
