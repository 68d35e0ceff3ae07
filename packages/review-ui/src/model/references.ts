import { computed, type ReadonlySignal } from "@preact/signals";
import type { Wording } from "../language/language.ts";
import type { FrontendMessage, PageMessage } from "./api.ts";
import type { ContextReport } from "./context-report.ts";
import type { FrontendState } from "./frontend-state.ts";
import type { Toasts } from "./toasts.ts";

/** References to files and words of the user, on their way into the prompt of an agent. */
export interface References {
  /** Whether an agent is connected. */
  readonly isHeard: ReadonlySignal<boolean>;
  /** To files or folders. */
  send(...paths: readonly string[]): void;
  /** @returns false when the companion cannot be reached: the words are still the user's */
  sendText(text: string): boolean;
  /** To what is selected in a file, or else to the file. */
  sendSelection(path: string): void;
  /** What has become of one. */
  answered(answer: Extract<FrontendMessage, { readonly type: "sent" }>): Promise<void>;
}

export interface ReferencesOptions {
  readonly send: (message: PageMessage) => boolean;
  readonly context: Pick<ContextReport, "position">;
  readonly frontend: Pick<FrontendState, "sessions">;
  readonly toasts: Toasts;
  readonly wording: Wording;
}

export function createReferences(options: ReferencesOptions): References {
  const { send, context, frontend, toasts, wording } = options;
  const { t, translate, translateFor } = wording;
  /** What was sent last is a text of the user. */
  let hasWords = false;

  return {
    isHeard: computed(() => frontend.sessions.value.length > 0),
    send: (...paths) => {
      send({ type: "send", mentions: paths.map((path) => ({ path })) });
    },
    sendText: (text) => {
      hasWords = send({ type: "send", mentions: [], text });
      return hasWords;
    },
    sendSelection: (path) => {
      const range = context.position(path)?.selection;
      send({ type: "send", mentions: [{ path, ...(range && { range }) }] });
    },
    answered: async ({ agent, reason, file, prompt = "" }) => {
      const wereWords = hasWords;
      hasWords = false;
      if (agent !== undefined) {
        const text = t(
          wereWords
            ? "The prompt of $1 has it: press Enter there to send it."
            : "The prompt of $1 has the reference.",
          agent,
        );
        return toasts.say({ level: "info", text });
      }
      if (reason !== undefined) {
        const text = file === undefined ? translate(reason) : translateFor(file, reason);
        return toasts.say({ level: "warning", text });
      }
      const copied = t("No agent’s prompt can be reached. It is on the clipboard: paste it into the prompt.");
      // The click lets the page write to the clipboard for a few seconds.
      const text = await navigator.clipboard.writeText(prompt).then(
        () => copied,
        () => t("No connected agent takes a reference."),
      );
      toasts.say({ level: "info", text });
    },
  };
}
