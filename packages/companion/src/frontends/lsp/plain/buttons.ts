import { MessageType, ShowMessageRequest } from "vscode-languageserver";
import { z } from "zod";
import type { Client } from "../client.ts";
import type { Ask } from "../notifier.ts";

/** How long a message may wait to be answered, in milliseconds: a working day. */
const limit = 10 * 60 * 60 * 1000;
/** Within which nobody has read a message, let alone answered it, in milliseconds. */
const unread = 300;

const showMessage = {
  method: ShowMessageRequest.method,
  answer: z.object({ title: z.string() }).nullable(),
};

export interface ButtonsOptions {
  readonly client: Pick<Client, "offersChoices">;
  readonly ask: Ask;
  /** Milliseconds since some moment. */
  readonly now?: () => number;
}

/** Messages with buttons, in an editor that has them. */
export class Buttons {
  readonly #ask: Ask;
  readonly #now: () => number;
  #areThere: boolean;

  constructor({ client, ask, now = () => performance.now() }: ButtonsOptions) {
    this.#ask = ask;
    this.#now = now;
    this.#areThere = client.offersChoices;
  }

  /** Whether there are any, as far as the editor has announced or shown. */
  get areThere(): boolean {
    return this.#areThere;
  }

  /**
   * Shows a message, and waits.
   * @param signal aborted when nobody wants the answer any more
   * @returns the title of the button; undefined when the user has put the message away
   * @throws Error when the editor has shown no message, or takes it back
   */
  async offer(message: string, titles: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    const askedAt = this.#now();
    const isUnread = () => this.#now() - askedAt < unread && !signal.aborted;
    const params = { type: MessageType.Info, message, actions: titles.map((title) => ({ title })) };
    try {
      const chosen = await this.#ask(showMessage, params, { limit, signal });
      if (chosen === null && isUnread())
        throw new Error("the message was answered before anybody could read it");
      return chosen?.title;
    } catch (error) {
      // No user was asked: there is no use in trying again.
      if (isUnread()) this.#areThere = false;
      throw error;
    }
  }
}
