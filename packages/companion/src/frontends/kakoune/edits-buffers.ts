import { writeFileSync } from "node:fs";
import path from "node:path";
import type { MessageConnection } from "vscode-languageserver/node";
import { isCrlf, withoutMark } from "../../files/comparable-text.ts";
import { readFileText } from "../../files/file-text.ts";
import { merge } from "../../files/merge.ts";
import { messageOf } from "../../system/error-message.ts";
import type { ProposalFolder } from "../lsp/plain/proposal-folder.ts";
import type { ActionCode, Effect } from "../protocol/list-messages.ts";
import { messages } from "../protocol/messages.ts";
import { type Mailbox, parseWords, quote, type Remote } from "./remote.ts";

export interface EditsBuffersOptions {
  readonly connection: MessageConnection;
  readonly remote: Pick<Remote, "do">;
  readonly mailbox: Pick<Mailbox, "read" | "take">;
  readonly folder: ProposalFolder;
  readonly say: (message: string) => void;
}

/** What the user typed and no file holds: in proposals, as buffers that compare it with its file, and in files. */
export class EditsBuffers {
  readonly #options: EditsBuffersOptions;
  #shown = 0;

  constructor(options: EditsBuffersOptions) {
    this.#options = options;
  }

  /** @param words the client in which the user asks, after the id of what it is about */
  async take(verb: string, words: readonly string[]): Promise<void> {
    const [id = "", client = id] = words;
    try {
      if (verb === "edits") await this.#choose(client);
      if (verb === "edits-show") await this.#show(id, client);
      if (verb === "edits-restore") await this.#restore(id, client);
      if (verb === "edits-discard") await this.#discard(id);
    } catch (error) {
      this.#options.say(messageOf(error));
    }
  }

  /** Merges unsaved edits with what an agent has written to their file meanwhile. */
  async takeMerge(name: string): Promise<void> {
    const { mailbox, say } = this.#options;
    const request = parseWords(mailbox.read(name) ?? "");
    // It is reported again when there is more of it, and may be reported twice.
    if (request?.at(-1) !== "end" || mailbox.take(name) === undefined) return;
    await this.#merge(request, mailbox.take("mine") ?? "").catch((error: unknown) => say(messageOf(error)));
  }

  /** Lets the user choose one in a menu. */
  async #choose(client: string): Promise<void> {
    const { method, answer } = messages.list;
    const { rows, none } = answer.parse(
      await this.#options.connection.sendRequest(method, { list: "edits" }),
    );
    if (rows.length === 0) return this.#options.say(none);
    const entries = rows.flatMap(({ id, label, at, text }) => [
      `${label}, ${new Date(at).toLocaleString()}: ${text}`,
      `ide-companion-request-edits show ${id}`,
    ]);
    await this.#in(client, `menu ${entries.map(quote).join(" ")}`);
  }

  /** Opens a buffer that compares one with its file. */
  async #show(id: string, client: string): Promise<void> {
    const { compare: { label, patch } = { label: "", patch: "" } } = await this.#act(id, "show");
    await this.#in(
      client,
      `ide-companion-show-edits ${quote(this.#write(label, patch))} ${id} ${quote(label)}`,
    );
  }

  /** Puts one into the buffer of its file, which the user then writes. */
  async #restore(id: string, client: string): Promise<void> {
    const { put } = await this.#act(id, "restore");
    if (!put) return;
    await this.#put(put.filePath, put.content, client);
    this.#options.say(`${path.basename(put.filePath)} has your edits now: :w keeps them, u goes back.`);
  }

  /** @param edited the buffer's text */
  async #merge([client = "", filePath = "", before = ""]: readonly string[], edited: string): Promise<void> {
    const file = await readFileText(filePath);
    if (file.kind !== "text" || !file.exact)
      throw new Error(`${filePath} cannot be merged: it is no text now`);
    const { kind, text } = merge(before, file.text, edited, "your edits");
    await this.#put(filePath, text, client);
    await this.#in(client, "ide-companion-unguard");
    const name = path.basename(filePath);
    this.#options.say(
      kind === "clean"
        ? `${name} has both now: :w keeps them, u goes back.`
        : `${name} has been changed in the same lines: choose between the versions, then :w.`,
    );
  }

  async #discard(id: string): Promise<void> {
    const { message = "" } = await this.#act(id, "discard");
    this.#options.say(message);
  }

  /** Makes a text that of the buffer of a file, unsaved. */
  async #put(filePath: string, content: string, client: string): Promise<void> {
    const [text, eol] = isCrlf(content) ? [content.replaceAll("\r\n", "\n"), "crlf"] : [content, "lf"];
    await this.#in(
      client,
      `ide-companion-restore-edits ${quote(filePath)} ${quote(withoutMark(text))} ${eol}`,
    );
  }

  async #act(id: string, action: ActionCode): Promise<Effect> {
    const { method, answer } = messages.act;
    return answer.parse(
      await this.#options.connection.sendRequest(method, { list: "edits", id, action, sure: true }),
    );
  }

  /** @returns absolute path of a private file with this text */
  #write(label: string, text: string): string {
    this.#shown += 1;
    const folder = this.#options.folder.make(`edits-${this.#shown}`);
    const file = path.join(folder, path.basename(label));
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
    return file;
  }

  async #in(client: string, command: string): Promise<void> {
    await this.#options.remote.do(`evaluate-commands -client ${quote(client)} ${quote(command)}`);
  }
}
