import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Translate } from "../language/language.ts";
import type { ProposalSummary } from "./api.ts";
import type { FrontendState } from "./frontend-state.ts";

export type NotificationState = "unsupported" | NotificationPermission;

/** Shows waiting proposals outside of the page: in the title of its tab, and in notifications if allowed. */
export interface Notifier {
  readonly permission: ReadonlySignal<NotificationState>;
  /** Asks the user to allow notifications. */
  requestPermission(): Promise<void>;
  /** @param open called by a click on the notification */
  notify(proposal: ProposalSummary, open: () => void): void;
}

export function createNotifier({ proposals, roots, paths }: FrontendState, t: Translate): Notifier {
  const permission: Signal<NotificationState> = signal(
    "Notification" in window ? Notification.permission : "unsupported",
  );
  effect(() => {
    const waiting = proposals.value.length;
    const folder = roots.value.map(paths.value.baseName).join(", ");
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${folder ? `${folder} – ` : ""}${t("Review")}`;
  });
  return {
    permission,
    requestPermission: async () => {
      permission.value = await Notification.requestPermission();
    },
    notify: ({ id, agent, label }, open) => {
      if (!document.hidden || permission.value !== "granted") return;
      const notification = show(t("$1 proposes a change", agent), { body: label, tag: id });
      notification?.addEventListener("click", () => {
        window.focus();
        open();
        notification.close();
      });
    },
  };
}

function show(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined; // Chrome on Android leaves them to service workers
  }
}

/** A live region: screen readers read each new text. */
export interface Announcer {
  readonly text: ReadonlySignal<string>;
  announce(text: string): void;
}

export function createAnnouncer(): Announcer {
  const text = signal("");
  return {
    text,
    announce: (next) => {
      // Screen readers ignore a text that does not change.
      text.value = next === text.value ? `${next}\u00a0` : next;
    },
  };
}
