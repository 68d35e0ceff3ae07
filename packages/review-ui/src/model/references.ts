import type { Wording } from "../language/language.ts";
import type { FrontendMessage, PageMessage } from "./api.ts";
import type { ContextReport } from "./context-report.ts";
import type { Announcer } from "./notifier.ts";
import type { Toasts } from "./toasts.ts";

/** References to files, on their way into the prompt of an agent. */
export interface References {
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
  readonly toasts: Toasts;
  readonly announcer: Announcer;
  readonly wording: Wording;
}

export function createReferences({
  send,
  context,
  toasts,
  announcer,
  wording,
}: ReferencesOptions): References {
  const { t, translate, translateFor } = wording;

  function say(level: "info" | "warning", text: string): void {
    announcer.announce(text);
    toasts.show({ level, text });
  }

  return {
    send: (path) => {
      send({ type: "mention", path });
    },
    sendSelection: (path) => {
      const range = context.position(path)?.selection;
      send({ type: "mention", path, ...(range && { range }) });
    },
    answered: async ({ agent, reason, file, prompt = "" }) => {
      if (agent !== undefined) return say("info", t("The prompt of $1 has the reference.", agent));
      if (reason !== undefined) {
        return say("warning", file === undefined ? translate(reason) : translateFor(file, reason));
      }
      try {
        // The click lets the page write to the clipboard for a few seconds.
        await navigator.clipboard.writeText(prompt);
        say("info", t("No agent’s prompt can be reached. It is on the clipboard: paste it into the prompt."));
      } catch {
        say("info", t("No connected agent takes a reference."));
      }
    },
  };
}
