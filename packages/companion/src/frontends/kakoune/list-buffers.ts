import { writeFileSync } from "node:fs";
import path from "node:path";
import type { MessageConnection } from "vscode-languageserver/node";
import { isCrlf, withoutMark } from "../../files/comparable-text.ts";
import { messageOf } from "../../system/error-message.ts";
import type { ProposalFolder } from "../lsp/plain/proposal-folder.ts";
import type { Act, Effect } from "../protocol/list-messages.ts";
import { messages } from "../protocol/messages.ts";
import { type Mailbox, parseWords, quote, type Remote } from "./remote.ts";

export interface ListBuffersOptions {
  readonly connection: MessageConnection;
  readonly remote: Pick<Remote, "do">;
  readonly mailbox: Pick<Mailbox, "read" | "take">;
  readonly folder: ProposalFolder;
  readonly say: (message: string) => void;
  /** Decides about proposals, each as its buffer stands. */
  readonly decide: (isAccepted: boolean, ids: readonly string[]) => Promise<void>;
  /** The file of a proposal's buffer; undefined where it has none. */
  readonly pathOf: (id: string) => string | undefined;
}

type Put = Pick<NonNullable<Effect["put"]>, "filePath" | "content" | "onlySaved">;

/** The companion's lists as menus, the texts of what it stores as buffers; and what the user typed in files. */
export class ListBuffers {
  readonly #options: ListBuffersOptions;
  #shown = 0;

  constructor(options: ListBuffersOptions) {
    this.#options = options;
  }

  /**
   * What the user asks for, as the names of files have it: `list.edits.client0`, `actions.edits.0123abcd.client0` and
   * `act.edits.0123abcd.discard.client0`, with `sure` before the client once the user has been asked.
   */
  async take(verb: string, words: readonly string[]): Promise<void> {
    const [list = "", id = "", action] = words;
    const client = words.at(-1) ?? "";
    try {
      if (verb === "list") await this.#choose(list, client);
      if (verb === "actions") await this.#chooseAction(list, id, client);
      if (verb === "act")
        await this.#act(messages.act.params.parse({ list, id, action, sure: words.length > 4 }), client);
    } catch (error) {
      this.#options.say(messageOf(error));
    }
  }

  /** Merges unsaved edits with what an agent has written to their file meanwhile. */
  async takeMerge(name: string): Promise<void> {
    const { mailbox, say } = this.#options;
    const request = parseWords(mailbox.read(name) ?? "");
    // A file is reported again when there is more of it, and may be reported twice.
    if (!request || mailbox.take(name) === undefined) return;
    await this.#merge(request, mailbox.take("mine") ?? "").catch((error: unknown) => say(messageOf(error)));
  }

  /** Lets the user choose a row: its text is shown, or what can be done with it. */
  async #choose(list: string, client: string): Promise<void> {
    const { rows, none } = await this.#rows(list);
    if (rows.length === 0) return this.#options.say(none);
    const entries = rows.flatMap(({ id, label, agent, at, text, actions }) => [
      // Kakoune cuts a row at the window's edge: time and agent come last.
      `${label}: ${text} (${agent}, ${new Date(at).toLocaleString()})`,
      actions[0]?.code === "show" ? request("act", list, id, "show") : request("actions", list, id),
    ]);
    await this.#in(client, `menu ${entries.map(quote).join(" ")}`);
  }

  /** Lets the user choose what to do with a row. */
  async #chooseAction(list: string, id: string, client: string): Promise<void> {
    const found = (await this.#rows(list)).rows.find((row) => row.id === id);
    if (!found) throw new Error("It is in the list no more.");
    const others = found.actions.filter(({ code }) => code !== "show");
    const entries = others.flatMap(({ code, name }) => [name, request("act", list, id, code)]);
    const proposal = list === "waiting" ? this.#options.pathOf(id) : undefined;
    if (proposal !== undefined) entries.unshift("goes to it", `buffer ${quote(proposal)}`);
    await this.#in(client, `menu ${entries.map(quote).join(" ")}`);
  }

  async #act({ list, id, action, ...sure }: Act, client: string): Promise<void> {
    const { method, answer } = messages.act;
    const asked = await this.#options.connection.sendRequest(method, { list, id, action, ...sure });
    const { ask, compare, put, copy, message, removed, decide, next } = answer.parse(asked);
    if (ask) {
      const answers = [ask.yes, request("act", list, id, action, "sure"), "No", "nop"];
      await this.#in(client, `menu ${answers.map(quote).join(" ")}`);
      return this.#options.say(ask.question);
    }
    if (compare) {
      const file = this.#write(compare.label, compare.patch);
      const show = ["ide-companion-show-row", quote(file), `${list}.${id}`, quote(compare.label)];
      return this.#in(client, show.join(" "));
    }
    if (decide) await this.#options.decide(decide.accept, decide.ids);
    if (put) await this.#in(client, toPut(put, `has ${put.what} now: :w keeps it, u goes back.`));
    if (copy !== undefined) await this.#in(client, `set-register dquote ${quote(copy)}`);
    const way = next === undefined ? "" : `\n:ide-companion-${next} ends that`;
    if (message !== undefined)
      this.#options.say(message.replace("{place}", 'in the register ", p puts them') + way);
    if (removed) await this.#in(client, `ide-companion-close-row ${list}.${id}`);
  }

  async #rows(list: string) {
    const { method, params, answer } = messages.list;
    return answer.parse(await this.#options.connection.sendRequest(method, params.parse({ list })));
  }

  /** @param edited the buffer's text */
  async #merge([client = "", filePath = "", before = ""]: readonly string[], edited: string): Promise<void> {
    const { method, answer } = messages.merge;
    const asked = { filePath, before, content: edited };
    const { content, isClean } = answer.parse(await this.#options.connection.sendRequest(method, asked));
    const news = isClean
      ? "has both now: :w keeps them, u goes back."
      : "has been changed in the same lines: choose between the versions, then :w.";
    // At once: who reads the news may type `:w`.
    await this.#in(client, `${toPut({ filePath, content, onlySaved: false }, news)}\nide-companion-unguard`);
  }

  /** @returns absolute path of a private file with this text */
  #write(label: string, text: string): string {
    this.#shown += 1;
    const folder = this.#options.folder.make(`row-${this.#shown}`);
    const file = path.join(folder, path.basename(label));
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
    return file;
  }

  async #in(client: string, command: string): Promise<void> {
    await this.#options.remote.do(`evaluate-commands -client ${quote(client)} ${quote(command)}`);
  }
}

/** Makes a text that of the buffer of a file, unsaved. @param news what the user hears of the file then */
function toPut({ filePath, content, onlySaved }: Put, news: string): string {
  const [text, eol] = isCrlf(content) ? [content.replaceAll("\r\n", "\n"), "crlf"] : [content, "lf"];
  const words = ["ide-companion-put", quote(filePath), quote(withoutMark(text)), eol, onlySaved, quote(news)];
  return words.join(" ");
}

/** A command that writes a file of this name. */
const request = (...words: readonly string[]) => `ide-companion-request ${words.join(".")}`;
