import { type ReadonlySignal, signal } from "@preact/signals";

export interface Toast {
  readonly id: number;
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  /** What it is about: it goes when that is gone. */
  readonly subject?: string;
  /** What can be done about it. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Short messages that appear for a while. */
export interface Toasts {
  readonly list: ReadonlySignal<readonly Toast[]>;
  show(toast: Omit<Toast, "id">): void;
  dismiss(id: number): void;
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
    retract: (subject) => {
      list.value = list.value.filter((toast) => toast.subject !== subject);
    },
    show: (toast) => {
      lastId += 1;
      const id = lastId;
      list.value = [...list.value, { ...toast, id }].slice(-maxToasts);
      if (toast.level !== "error") setTimeout(() => dismiss(id), lifetime[toast.level]);
    },
  };
}
