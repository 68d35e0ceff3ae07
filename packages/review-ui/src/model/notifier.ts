import { effect, type Signal, signal } from "@preact/signals";
import type { Translate } from "../language/language.ts";
import type { ProposalSummary } from "./api.ts";
import type { FrontendState } from "./frontend-state.ts";

export type NotificationState = "unsupported" | NotificationPermission;

/** Shows what waits for the user outside of the page: in the title of its tab, and in notifications if allowed. */
export type Notifier = ReturnType<typeof createNotifier>;

export function createNotifier({ proposals, written, roots, paths }: FrontendState, t: Translate) {
  const permission: Signal<NotificationState> = signal(
    "Notification" in window ? Notification.permission : "unsupported",
  );
  effect(() => {
    const waiting = proposals.value.length + written.value.length;
    const folder = roots.value.map(paths.value.baseName).join(", ");
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${folder ? `${folder} – ` : ""}${t("Review")}`;
  });
  return {
    permission,
    /** Asks the user to allow notifications. */
    requestPermission: async () => {
      permission.value = await Notification.requestPermission();
    },
    /** @param open called by a click on the notification */
    notify: ({ id, agent, label }: ProposalSummary, open: () => void) => {
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
