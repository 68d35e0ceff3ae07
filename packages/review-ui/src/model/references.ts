import { computed, effect, signal } from "@preact/signals";
import type { PageMessage } from "./api.ts";
import type { Base } from "./base.ts";
import type { ContextReport } from "./context-report.ts";
import { recall, remember } from "./preferences.ts";

/** References to files and words of the user, on their way into the prompt of an agent. */
export type References = ReturnType<typeof createReferences>;

export function createReferences(
  { ask, frontend, toasts, wording }: Base,
  context: Pick<ContextReport, "position">,
) {
  const { t, translate, translateFor } = wording;
  const known = recall(sessionStorage, "words");
  const words = signal(typeof known === "string" ? known : "");
  effect(() => remember(sessionStorage, "words", words.value));

  function giveBack(text = ""): void {
    words.value = [text, words.value].filter((part) => part !== "").join("\n");
  }

  /** Sends one, and says what has become of it. Words come back where nobody has them. */
  async function send(
    message: Pick<Extract<PageMessage, { readonly type: "send" }>, "mentions" | "text">,
  ): Promise<void> {
    const { text: own } = message;
    const sent = await ask({ type: "send", ...message }).catch(() => undefined);
    if (!sent) return giveBack(own); // the answer may never come
    const { agent, reason, file, prompt = "" } = sent;
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
  }

  return {
    /** Whether an agent is connected. */
    isHeard: computed(() => frontend.sessions.value.length > 0),
    /** To files or folders. */
    send: (...paths: readonly string[]) => void send({ mentions: paths.map((path) => ({ path })) }),
    /** What the user writes for a prompt. It outlasts the page, and its field, which goes with the panel and the last agent. */
    words,
    /** Sends them. They come back where nobody has them. */
    sendWords: () => {
      const text = words.value;
      if (text.trim() === "") return;
      words.value = "";
      void send({ mentions: [], text });
    },
    /** To what is selected in a file, or else to the file. */
    sendSelection: (path: string) => {
      const { start, end } = context.position(path)?.selection ?? {};
      const lines = start &&
        end && { first: start.line, last: end.character === 1 ? end.line - 1 : end.line };
      void send({ mentions: [{ path, ...(lines && { lines }) }] });
    },
  };
}
