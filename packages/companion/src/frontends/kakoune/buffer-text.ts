import type { Mailbox, Remote } from "./remote.ts";
import { quote } from "./remote.ts";

/** How long Kakoune may take to open a buffer or to write one, in milliseconds. */
export const limit = 5000;

/** The commands that follow run in this buffer, and nobody sees it. `buffer` would want one to come from. */
export const inBuffer = (path: string): string => `edit -existing ${quote(path)}`;

/** An agent is about to write a file, which is this until then: Kakoune is not to ask whether it loads that. */
export const hold = (path: string, before: string): string =>
  `ide-companion-hold ${quote(path)} ${quote(before)}`;

/** The agent has written it, or does not: its buffer is read again, or guards edits that are not saved. */
export const release = (path: string, isWritten: boolean): string =>
  `ide-companion-follow ${quote(path)} ${isWritten}`;

export interface BufferText {
  /** As Kakoune would write it. */
  readonly text: string;
  /** Grows with each change of the buffer. */
  readonly timestamp: string;
}

/** What buffers hold, which Kakoune writes for us to read. */
export class BufferTexts {
  readonly #mailbox: Pick<Mailbox, "folder" | "take" | "receive">;
  readonly #remote: Pick<Remote, "do">;
  #asked = 0;

  constructor(mailbox: Pick<Mailbox, "folder" | "take" | "receive">, remote: Pick<Remote, "do">) {
    this.#mailbox = mailbox;
    this.#remote = remote;
  }

  /** @param path of the buffer's file; absolute @throws Error when Kakoune does not tell */
  async read(path: string): Promise<BufferText> {
    this.#asked += 1;
    const [text, stamp, whole] = ["text", "timestamp", "whole"].map((name) => `${name}.${this.#asked}`);
    const fileOf = (name = "") => quote(`${this.#mailbox.folder}/${name}`);
    const write = [
      `write ${fileOf(text)}`,
      `echo -to-file ${fileOf(stamp)} %val{timestamp}`,
      // This file tells that the others are whole.
      `echo -to-file ${fileOf(whole)}`,
    ].join("; ");
    await Promise.all([
      this.#mailbox.receive([whole ?? ""], limit),
      this.#remote.do(inBuffer(path), `evaluate-commands -no-hooks ${quote(write)}`),
    ]);
    return {
      text: this.#mailbox.take(text ?? "") ?? "",
      timestamp: this.#mailbox.take(stamp ?? "")?.trim() ?? "",
    };
  }
}
