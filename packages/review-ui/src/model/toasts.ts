import { signal } from "@preact/signals";
import type { Announcer } from "./notifier.ts";

export interface Toast {
  readonly id: number;
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  /** How often it was shown. */
  readonly count: number;
  /** Identifies its topic. A newer message about it replaces this one. */
  readonly subject?: string;
  /** A button. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

type NewToast = Omit<Toast, "id" | "count">;

/** Milliseconds that a message is visible. Errors stay until they are dismissed. */
const lifetime = { info: 6000, warning: 12_000 };

const maxToasts = 4;

/** Short messages that appear for a while. */
export type Toasts = ReturnType<typeof createToasts>;

export function createToasts(announcer: Pick<Announcer, "announce">) {
  const list = signal<readonly Toast[]>([]);
  let lastId = 0;
  const dismiss = (id: number) => {
    list.value = list.value.filter((toast) => toast.id !== id);
  };
  const show = (toast: NewToast) => {
    lastId += 1;
    const id = lastId;
    const isSame = ({ subject, text, level }: Toast) =>
      toast.subject === undefined ? text === toast.text && level === toast.level : subject === toast.subject;
    const former = list.value.find(isSame);
    const count = former && former.text === toast.text ? former.count + 1 : 1;
    list.value = [...list.value.filter((one) => one !== former), { ...toast, id, count }].slice(-maxToasts);
    if (toast.level !== "error") setTimeout(() => dismiss(id), lifetime[toast.level]);
  };
  return {
    list,
    show,
    /** Shows a message, and has screen readers read it. */
    say: (toast: NewToast) => {
      announcer.announce(toast.text);
      show(toast);
    },
    dismiss,
    /** Whether a message about the subject is visible. */
    has: (subject: string) => list.value.some((toast) => toast.subject === subject),
    /** Dismisses all messages about the subject. */
    retract: (subject: string) => {
      list.value = list.value.filter((toast) => toast.subject !== subject);
    },
  };
}
