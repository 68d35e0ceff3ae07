import type { Companion } from "../companion.ts";
import { type PromptMessage, toPromptText } from "../core/prompt-message.ts";
import { pathLabel } from "../files/workspace-path.ts";

/** What has become of a message that the user sends: one of the three. */
export interface SendAnswer {
  /** Whose prompt has it, for people. */
  readonly agent?: string;
  /** Why nobody may have it: a sentence for the user. */
  readonly reason?: string;
  /** The file that `reason` names, as in it. */
  readonly file?: string;
  /** No connected agent takes it: the text to type into an agent's prompt, or to copy. */
  readonly prompt?: string;
  /** Whose prompt could be reached, and holds a text of the user's: `prompt` is to be copied, not typed. */
  readonly busy?: string;
}

export interface SendOptions {
  /** Absolute, of the open folders. */
  readonly roots: readonly string[];
  /** Absolute, where the agent runs whose prompt gets the text otherwise: paths inside are relative to it. */
  readonly folder?: string;
  /** False: only to an agent with a message for references, and nothing is typed. */
  readonly mayType?: boolean;
}

/** Sends a message of the user to an agent. Nothing of it leaves the companion that is kept from agents. */
export async function sendMessage(
  companion: Pick<Companion, "send"> | undefined,
  message: PromptMessage,
  { roots, folder, mayType = true }: SendOptions,
): Promise<SendAnswer> {
  if (!companion) return { reason: "The companion is not running." };
  const sent = await companion.send(message, { mayType });
  switch (sent.kind) {
    case "sent":
      return { agent: sent.agent };
    case "paused":
      return { reason: "Sharing is paused: the agents receive no files." };
    case "excluded": {
      const { label: file } = await pathLabel(sent.path, roots);
      return { reason: `${file} is kept from agents, and was not sent.`, file };
    }
    case "unreached": {
      const prompt = toPromptText(message, folder);
      if (prompt === undefined) return { reason: "The name of a file holds control characters." };
      return { prompt, ...(sent.busy !== undefined && { busy: sent.busy }) };
    }
  }
}

/** The answer as a plugin takes it. @param what the message for people: `the reference` */
export function toPluginAnswer({ agent, reason = "", prompt, busy }: SendAnswer, what: string) {
  if (agent !== undefined) return { message: `The prompt of ${agent} has ${what}` };
  if (prompt === undefined) return { message: reason };
  const why = busy === undefined ? "No agent's prompt can be reached" : `The prompt of ${busy} is not empty`;
  return { message: `${why}: it is {place}`, copy: prompt, ...(busy === undefined && { types: true }) };
}
