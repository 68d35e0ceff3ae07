import type { Toast, Toasts } from "./toasts.ts";

/** One message about many things of a kind, as long as it is on the screen. */
export interface GroupedNotice<Item> {
  add(key: string, item: Item): void;
  /** It is not news any more. */
  remove(key: string): void;
}

export interface GroupedNoticeOptions<Item> {
  readonly toasts: Toasts;
  readonly subject: string;
  /** What is said of the things together, of which there is at least one. */
  readonly word: (items: readonly [Item, ...Item[]]) => Pick<Toast, "text" | "action">;
}

export function createGroupedNotice<Item>(options: GroupedNoticeOptions<Item>): GroupedNotice<Item> {
  const { toasts, subject, word } = options;
  const items = new Map<string, Item>();

  function show(): void {
    const [first, ...others] = items.values();
    if (first === undefined) toasts.retract(subject);
    else toasts.show({ level: "info", subject, ...word([first, ...others]) });
  }

  /** What was on the screen and has gone from it is no news. */
  function forgetSeen(): void {
    if (!toasts.has(subject)) items.clear();
  }

  return {
    add: (key, item) => {
      forgetSeen();
      items.set(key, item);
      show();
    },
    remove: (key) => {
      forgetSeen();
      if (items.delete(key)) show();
    },
  };
}
