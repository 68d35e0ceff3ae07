import { signal } from "@preact/signals";
import type { Announcer } from "./announcer.ts";

export interface Toast {
  readonly id: number;
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  /** How often it was shown. */
  readonly count: number;
  /** Identifies its topic. A newer message about it replaces this one. */
  readonly subject?: string;
  /** A button. */
  readonly action?: {
    readonly label: string;
    readonly run: () => void;
    /** It undoes a decision, as the key for that does. */
    readonly isUndo?: boolean;
  };
}

type NewToast = Omit<Toast, "id" | "count">;

/** Milliseconds that a message is visible, and one with a button longer. Errors stay until they are dismissed. */
const lifetimeOf = ({ level, action }: Toast) =>
  level === "warning" ? 12_000 : action === undefined ? 6000 : 10_000;

const maxToasts = 4;

/** Short messages that appear for a while. */
export type Toasts = ReturnType<typeof createToasts>;

export function createToasts(announcer: Pick<Announcer, "announce">) {
  const list = signal<readonly Toast[]>([]);
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  let lastId = 0;
  const pause = (id: number) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
  };
  const dismiss = (id: number) => {
    pause(id);
    list.value = list.value.filter((toast) => toast.id !== id);
  };
  const resume = (toast: Toast) => {
    pause(toast.id);
    if (toast.level === "error") return;
    const timer = setTimeout(() => dismiss(toast.id), lifetimeOf(toast));
    timers.set(toast.id, timer);
  };
  const show = (toast: NewToast) => {
    lastId += 1;
    const isSame = ({ subject, text, level }: Toast) =>
      toast.subject === undefined ? text === toast.text && level === toast.level : subject === toast.subject;
    const former = list.value.find(isSame);
    const count = former && former.text === toast.text ? former.count + 1 : 1;
    const next = { ...toast, id: lastId, count };
    list.value = [...list.value.filter((one) => one !== former), next].slice(-maxToasts);
    resume(next);
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
    /** Keeps a message visible as long as its user is at it. */
    pause,
    /** The message is visible for its whole time again. */
    resume,
    /** Undoes what the newest message offers to undo. @returns false when none does */
    undo: () => {
      const newest = list.value.findLast(({ action }) => action?.isUndo);
      if (!newest?.action) return false;
      dismiss(newest.id);
      newest.action.run();
      return true;
    },
    /** Whether a message about the subject is visible. */
    has: (subject: string) => list.value.some((toast) => toast.subject === subject),
    /** Dismisses all messages about the subject. */
    retract: (subject: string) => {
      list.value = list.value.filter((toast) => toast.subject !== subject);
    },
  };
}
