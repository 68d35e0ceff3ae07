import { computed, type ReadonlySignal } from "@preact/signals";
import type { Wording } from "../language/language.ts";
import type { FrontendMessage, PageMessage } from "./api.ts";
import type { ContextReport } from "./context-report.ts";
import type { FrontendState } from "./frontend-state.ts";
import type { Toasts } from "./toasts.ts";

/** References to files, on their way into the prompt of an agent. */
export interface References {
  /** Whether an agent is connected. */
  readonly isHeard: ReadonlySignal<boolean>;
  /** To a file or a folder. */
  send(path: string): void;
  /** To what is selected in a file, or else to the file. */
  sendSelection(path: string): void;
  /** What has become of one. */
  answered(answer: Extract<FrontendMessage, { readonly type: "mentioned" }>): Promise<void>;
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

  return {
    isHeard: computed(() => frontend.sessions.value.length > 0),
    send: (path) => {
      send({ type: "mention", path });
    },
    sendSelection: (path) => {
      const range = context.position(path)?.selection;
      send({ type: "mention", path, ...(range && { range }) });
    },
    answered: async ({ agent, reason, file, prompt = "" }) => {
      if (agent !== undefined) {
        return toasts.say({ level: "info", text: t("The prompt of $1 has the reference.", agent) });
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
