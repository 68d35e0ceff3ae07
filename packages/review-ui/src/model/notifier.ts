import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Translate } from "../language/language.ts";
import type { ProposalSummary } from "./api.ts";
import type { FrontendState } from "./frontend-state.ts";

export type NotificationState = "unsupported" | NotificationPermission;

/** Tells a user who looks elsewhere that something waits: by the tab's title, and by notifications if allowed. */
export interface Attention {
  readonly notifications: ReadonlySignal<NotificationState>;
  /** Asks the user to allow notifications. */
  allow(): Promise<void>;
  /** @param open what a click on the notification does */
  announce(proposal: ProposalSummary, open: () => void): void;
}

export function createAttention({ proposals, roots, paths }: FrontendState, t: Translate): Attention {
  const notifications: Signal<NotificationState> = signal(
    "Notification" in window ? Notification.permission : "unsupported",
  );
  effect(() => {
    const waiting = proposals.value.length;
    const folder = roots.value.map(paths.value.baseName).join(", ");
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${folder ? `${folder} – ` : ""}${t("Review")}`;
  });
  return {
    notifications,
    allow: async () => {
      notifications.value = await Notification.requestPermission();
    },
    announce: ({ id, agent, label }, open) => {
      if (!document.hidden || notifications.value !== "granted") return;
      const notification = new Notification(t("$1 proposes a change", agent), { body: label, tag: id });
      notification.addEventListener("click", () => {
        window.focus();
        open();
        notification.close();
      });
    },
  };
}

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
