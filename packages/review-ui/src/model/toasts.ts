import { type ReadonlySignal, signal } from "@preact/signals";

export interface Toast {
  readonly id: number;
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  /** How often it was said. */
  readonly count: number;
  /** What it is about: a newer one takes its place, and it goes when that is gone. */
  readonly subject?: string;
  /** What can be done about it. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Short messages that appear for a while. */
export interface Toasts {
  readonly list: ReadonlySignal<readonly Toast[]>;
  show(toast: Omit<Toast, "id" | "count">): void;
  dismiss(id: number): void;
  /** Whether one about a subject is on the screen. */
  has(subject: string): boolean;
  /** Dismisses all about a subject. */
  retract(subject: string): void;
}

/** Milliseconds that a message stays; errors stay until they are dismissed. */
const lifetime = { info: 6000, warning: 12_000 };

const maxToasts = 4;

export function createToasts(): Toasts {
  const list = signal<readonly Toast[]>([]);
  let lastId = 0;
  const dismiss = (id: number) => {
    list.value = list.value.filter((toast) => toast.id !== id);
  };
  return {
    list,
    dismiss,
    has: (subject) => list.value.some((toast) => toast.subject === subject),
    retract: (subject) => {
      list.value = list.value.filter((toast) => toast.subject !== subject);
    },
    show: (toast) => {
      lastId += 1;
      const id = lastId;
      const isSame = ({ subject, text, level }: Toast) =>
        toast.subject === undefined
          ? text === toast.text && level === toast.level
          : subject === toast.subject;
      const former = list.value.find(isSame);
      const count = former && former.text === toast.text ? former.count + 1 : 1;
      list.value = [...list.value.filter((one) => one !== former), { ...toast, id, count }].slice(-maxToasts);
      if (toast.level !== "error") setTimeout(() => dismiss(id), lifetime[toast.level]);
    },
  };
}

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
