import { signal } from "@preact/signals";
import type { Translate } from "../language/language.ts";
import { explainError, type FrontendMessage, type PageMessage, type WaitingComments } from "./api.ts";
import type { Toasts } from "./toasts.ts";

/** What the companion says of comments that have been sent, or wait. */
type CommentsMessage = Extract<
  FrontendMessage,
  { readonly type: "waiting-comments" | "comments-delivered" | "comments-recovered" | "comments-sent" }
>;

export interface WaitingCommentsOptions {
  readonly send: (message: PageMessage) => boolean;
  readonly toasts: Toasts;
  readonly t: Translate;
}

/** Comments that no agent has received, and what is said of those on their way. */
export type WaitingCommentsStore = ReturnType<typeof createWaitingComments>;

export function createWaitingComments(options: WaitingCommentsOptions) {
  const { send, toasts, t } = options;
  const list = signal<readonly WaitingComments[]>([]);
  /** Ids of proposals that were decided in this page with comments. */
  const sentHere = new Set<string>();

  function say(level: "info" | "warning", text: string, message?: string): void {
    const action = message !== undefined && { action: { label: t("Copy"), run: () => void copy(message) } };
    toasts.say({ level, text, ...action });
  }

  async function copy(message: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(message);
      say("info", t("Your comments are in the clipboard: paste them into the agent’s prompt."));
    } catch (error) {
      toasts.show({ level: "error", text: explainError(error) });
    }
  }

  /** The click on the decision lets the page write to the clipboard for a few seconds. */
  async function offer(agent: string, message: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(message);
      say(
        "warning",
        t("The prompt of $1 cannot be reached. Your comments are in the clipboard: paste them there.", agent),
        message,
      );
    } catch {
      say(
        "warning",
        t("The prompt of $1 cannot be reached. Your comments wait in the companion panel.", agent),
        message,
      );
    }
  }

  const inPrompt = (agent: string) =>
    t("Your comments are in the prompt of $1: press Enter there to send them.", agent);
  function take(message: CommentsMessage): void {
    switch (message.type) {
      case "waiting-comments":
        list.value = message.comments;
        break;
      case "comments-delivered":
        say(
          "info",
          message.by === "prompt" ? inPrompt(message.agent) : t("$1 has your comments.", message.agent),
        );
        break;
      case "comments-recovered":
        if (sentHere.delete(message.id)) void offer(message.agent, message.message);
        else {
          const text = t(
            "$1 has not received your comments. They wait in the companion panel.",
            message.agent,
          );
          say("warning", text, message.message);
        }
        break;
      case "comments-sent":
        if (message.agent === undefined)
          say("warning", t("No agent’s prompt can be reached: copy your comments instead."));
        else say("info", inPrompt(message.agent));
        break;
    }
  }

  return {
    list,
    /** Sends a message. The comments in it are this page's user's, who gets them in the clipboard if nobody has them. */
    noteSent: (message: PageMessage) => {
      const isDecision = message.type === "accept" || message.type === "reject";
      if (isDecision && message.comments) sentHere.add(message.id);
      return send(message);
    },
    take,
    copy,
    /** Into the prompt of an agent. */
    send: (id: string) => void send({ type: "send-comments", id }),
    discard: (id: string) => void send({ type: "discard-comments", id }),
  };
}
