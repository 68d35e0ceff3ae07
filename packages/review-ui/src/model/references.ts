import { computed, effect, signal } from "@preact/signals";
import type { FrontendMessage } from "./api.ts";
import type { Base } from "./base.ts";
import type { ContextReport } from "./context-report.ts";
import { recall, remember } from "./preferences.ts";

/** References to files and words of the user, on their way into the prompt of an agent. */
export type References = ReturnType<typeof createReferences>;

export function createReferences(
  { send, frontend, toasts, wording }: Base,
  context: Pick<ContextReport, "position">,
) {
  const { t, translate, translateFor } = wording;
  const known = recall(sessionStorage, "words");
  const words = signal(typeof known === "string" ? known : "");
  effect(() => remember(sessionStorage, "words", words.value));
  /** Those that were sent last, until they are answered. */
  let sent: string | undefined;

  function giveBack(text = ""): void {
    words.value = [text, words.value].filter((part) => part !== "").join("\n");
  }

  return {
    /** Whether an agent is connected. */
    isHeard: computed(() => frontend.sessions.value.length > 0),
    /** To files or folders. */
    send: (...paths: readonly string[]) => {
      send({ type: "send", mentions: paths.map((path) => ({ path })) });
    },
    /** What the user writes for a prompt. It outlasts the page, and its field, which goes with the panel and the last agent. */
    words,
    /** Sends them. They come back where nobody has them. */
    sendWords: () => {
      const text = words.value;
      if (text.trim() === "" || !send({ type: "send", mentions: [], text })) return;
      sent = text;
      words.value = "";
    },
    /** To what is selected in a file, or else to the file. */
    sendSelection: (path: string) => {
      const range = context.position(path)?.selection;
      send({ type: "send", mentions: [{ path, ...(range && { range }) }] });
    },
    /** What has become of one. */
    answered: async (answer: Extract<FrontendMessage, { readonly type: "sent" }>) => {
      const { agent, reason, file, prompt = "" } = answer;
      const own = sent;
      sent = undefined;
      if (agent !== undefined) {
        const text = t(
          own !== undefined
            ? "The prompt of $1 has it: press Enter there to send it."
            : "The prompt of $1 has the reference.",
          agent,
        );
        return toasts.say({ level: "info", text });
      }
      if (reason !== undefined) {
        giveBack(own);
        const text = file === undefined ? translate(reason) : translateFor(file, reason);
        return toasts.say({ level: "warning", text });
      }
      const copied = t("No agent’s prompt can be reached. It is on the clipboard: paste it into the prompt.");
      // The click lets the page write to the clipboard for a few seconds.
      const text = await navigator.clipboard.writeText(prompt).then(
        () => copied,
        () => {
          giveBack(own);
          return t(
            own === undefined
              ? "No connected agent takes a reference."
              : "No agent’s prompt can be reached: your text is in the field again.",
          );
        },
      );
      toasts.say({ level: "info", text });
    },
    /** The answer may never come. */
    disconnected: () => {
      giveBack(sent);
      sent = undefined;
    },
  };
}
