import { toMessage } from "../../../companion/src/core/comments/message.ts";
import type { FrontendMessage } from "./api.ts";
import type { Base } from "./base.ts";

type Message<Type> = Extract<FrontendMessage, { readonly type: Type }>;

/** What is said of comments on their way, and what is done with those that no agent has received. */
export function createWaitingComments(base: Base) {
  const { toasts, stored, warn } = base;
  const { t } = base.wording;
  /** Ids of proposals that were decided in this page with comments. */
  const sentHere = new Set<string>();

  function say(level: "info" | "warning", text: string, message?: string): void {
    const action = message !== undefined && { action: { label: t("Copy"), run: () => void copy(message) } };
    toasts.say({ level, text, ...action });
  }

  const copy = (message: string) =>
    base.copy(message, t("Your comments are in the clipboard: paste them into the agent’s prompt."));

  /** The click on the decision lets the page write to the clipboard for a few seconds. */
  async function offer(agent: string, message: string): Promise<void> {
    const sentence = await navigator.clipboard.writeText(message).then(
      () =>
        "The prompt of $1 cannot be reached. Your comments are in the clipboard: paste them there." as const,
      () => "The prompt of $1 cannot be reached. Your comments wait in the companion panel." as const,
    );
    say("warning", t(sentence, agent), message);
  }

  const inPrompt = (agent: string) =>
    t("Your comments are in the prompt of $1: press Enter there to send them.", agent);

  async function send(id: string): Promise<void> {
    const agent = await stored.act("comments", id, "send");
    if (agent !== undefined) say("info", inPrompt(agent));
    else say("warning", t("No agent’s prompt can be reached: copy your comments instead."));
  }

  return {
    /** A decision is sent with comments of this page's user, who gets them in the clipboard if nobody has them. */
    noteSent: (id: string) => sentHere.add(id),
    delivered: ({ by, agent }: Message<"comments-delivered">) =>
      say("info", by === "prompt" ? inPrompt(agent) : t("$1 has your comments.", agent)),
    recovered: ({ id, comments }: Message<"comments-recovered">) => {
      const [{ agent }, message] = [comments, toMessage(comments)];
      if (sentHere.delete(id)) return void offer(agent, message);
      const text = t("$1 has not received your comments. They wait in the companion panel.", agent);
      say("warning", text, message);
    },
    copy,
    /** Into the prompt of an agent. */
    send: (id: string) => void send(id).catch(warn),
  };
}
