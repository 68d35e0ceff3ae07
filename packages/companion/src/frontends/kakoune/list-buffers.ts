import { writeFileSync } from "node:fs";
import path from "node:path";
import type { MessageConnection } from "vscode-languageserver/node";
import { isCrlf, withoutMark } from "../../files/comparable-text.ts";
import type { ProposalFolder } from "../lsp/plain/proposal-folder.ts";
import type { Effect } from "../protocol/list-messages.ts";
import { messages } from "../protocol/messages.ts";
import { askServer } from "./server.ts";
import { quote, type Session } from "./session.ts";

export interface ListBuffersOptions {
  readonly connection: MessageConnection;
  readonly session: Pick<Session, "doIn" | "say" | "take">;
  readonly folder: ProposalFolder;
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

  /** Merges unsaved edits with what an agent has written to their file meanwhile. @throws Error with a sentence */
  async merge([client, filePath, before = ""]: readonly string[] = []): Promise<void> {
    const { connection, session } = this.#options;
    if (client === undefined || filePath === undefined) return;
    const asked = { filePath, before, content: session.take("mine") ?? "" };
    const { content, isClean } = await askServer(connection, messages.merge, asked);
    const news = isClean
      ? "has both now: :w keeps them, u goes back."
      : "has been changed in the same lines: choose between the versions, then :w.";
    const put = toPut({ filePath, content, onlySaved: false }, news);
    // At once: who reads the news may type `:w`.
    await session.doIn(client, `${put}\nide-companion-unguard`);
  }

  /** Lets the user choose a row: its text is shown, or what can be done with it. @param words `edits.client0` */
  async choose([list, client = ""]: readonly string[]): Promise<void> {
    const { rows, none } = await this.#list(list);
    if (rows.length === 0) return this.#options.session.say(none);
    const entries = rows.flatMap(({ id, label, agent, at, text, actions }) => [
      // Kakoune cuts a row at the window's edge: time and agent come last.
      `${label}: ${text} (${agent}, ${new Date(at).toLocaleString()})`,
      actions[0]?.code === "show" ? request("act", list, id, "show") : request("actions", list, id),
    ]);
    await this.#menu(client, entries);
  }

  /** Lets the user choose what to do with a row. @param words `edits.0123abcd.client0` */
  async chooseAction([list, id = "", client = ""]: readonly string[]): Promise<void> {
    const found = (await this.#list(list)).rows.find((row) => row.id === id);
    if (!found) throw new Error("It is in the list no more.");
    const others = found.actions.filter(({ code }) => code !== "show");
    const entries = others.flatMap(({ code, name }) => [name, request("act", list, id, code)]);
    const proposal = list === "waiting" ? this.#options.pathOf(id) : undefined;
    if (proposal !== undefined) entries.unshift("goes to it", `buffer ${quote(proposal)}`);
    await this.#menu(client, entries);
  }

  /** @param words `edits.0123abcd.discard.client0`, with `sure` before the client once the user has been asked */
  async act([list, id, action, ...rest]: readonly string[]): Promise<void> {
    const { connection, session } = this.#options;
    const client = rest.at(-1) ?? "";
    const asked = messages.act.params.parse({ list, id, action, sure: rest.length > 1 });
    const effect = await askServer(connection, messages.act, asked);
    const { ask, compare, put, copy, message, removed, decide, next } = effect;
    if (ask) {
      await this.#menu(client, [ask.yes, request("act", list, id, action, "sure"), "No", "nop"]);
      return session.say(ask.question);
    }
    if (compare) {
      const file = this.#write(compare.label, compare.patch);
      const show = ["ide-companion-show-row", quote(file), `${list}.${id}`, quote(compare.label)];
      return session.doIn(client, show.join(" "));
    }
    if (decide) await this.#options.decide(decide.accept, decide.ids);
    if (put) await session.doIn(client, toPut(put, `has ${put.what} now: :w keeps it, u goes back.`));
    if (copy !== undefined) await session.doIn(client, `set-register dquote ${quote(copy)}`);
    const way = next === undefined ? "" : `\n:ide-companion-${next} ends that`;
    if (message !== undefined)
      session.say(message.replace("{place}", 'in the register ", p puts them') + way);
    if (removed) await session.doIn(client, `ide-companion-close-row ${list}.${id}`);
  }

  #list(list: unknown) {
    return askServer(this.#options.connection, messages.list, messages.list.params.parse({ list }));
  }

  /** @param entries a label and a command each */
  #menu(client: string, entries: readonly string[]): Promise<void> {
    return this.#options.session.doIn(client, `menu ${entries.map(quote).join(" ")}`);
  }

  /** @returns absolute path of a private file with this text */
  #write(label: string, text: string): string {
    this.#shown += 1;
    const folder = this.#options.folder.make(`row-${this.#shown}`);
    const file = path.join(folder, path.basename(label));
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
    return file;
  }
}

/** Makes a text that of the buffer of a file, unsaved. @param news what the user hears of the file then */
function toPut({ filePath, content, onlySaved }: Put, news: string): string {
  const [text, eol] = isCrlf(content) ? [content.replaceAll("\r\n", "\n"), "crlf"] : [content, "lf"];
  const words = ["ide-companion-put", quote(filePath), quote(withoutMark(text)), eol, onlySaved, quote(news)];
  return words.join(" ");
}

/** A command that writes a file of this name. */
const request = (...words: readonly (string | undefined)[]) => `ide-companion-request ${words.join(".")}`;
