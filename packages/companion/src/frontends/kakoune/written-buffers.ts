import type { MessageConnection } from "vscode-languageserver/node";
import { type Hunk, linesAsShown, nextOf } from "../../core/hunks.ts";
import { isCrlf } from "../../files/comparable-text.ts";
import { messageOf } from "../../system/error-message.ts";
import { messages } from "../protocol/messages.ts";
import type { WrittenHunks } from "../protocol/written-messages.ts";
import { type BufferTexts, inBuffer } from "./buffer-text.ts";
import { changesIn, changeText, firstLine, markChanges, showRemoved } from "./marks.ts";
import { type Mailbox, parseWords, quote, type Remote } from "./remote.ts";
import type { Look } from "./session-context.ts";

export interface WrittenBuffersOptions {
  readonly connection: MessageConnection;
  readonly remote: Pick<Remote, "do">;
  readonly mailbox: Pick<Mailbox, "read" | "take">;
  readonly texts: Pick<BufferTexts, "read">;
  readonly say: (message: string) => void;
}

/** A buffer of a file that an agent has written, as it is marked. */
interface Marked {
  readonly text: string;
  readonly timestamp: string;
  readonly revision: string;
  readonly hunks: readonly (Hunk & { readonly id: string })[];
}

/** What the user wants, in lines that count from 1. */
interface Wanted {
  readonly verb: string;
  readonly client: string;
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** Reads what Kakoune has written. @returns undefined when it is not all there */
function parseWanted(text: string): Wanted | undefined {
  const [verb, client, path, selection] = parseWords(text) ?? [];
  if (!verb || !client || !path || !selection) return undefined;
  const lines = [...selection.matchAll(/(\d+)\.\d+/g)].map(([, line]) => Number(line));
  return { verb, client, path, first: Math.min(...lines), last: Math.max(...lines) };
}

/** What agents wrote without asking, in the buffers of its files. */
export class WrittenBuffers {
  readonly #options: WrittenBuffersOptions;
  readonly #marked = new Map<string, Marked>();

  constructor(options: WrittenBuffersOptions) {
    this.#options = options;
  }

  /** `companion/writtenHunks` */
  async take({ filePath, hunks }: WrittenHunks): Promise<void> {
    if (hunks.length === 0 && !this.#marked.has(filePath)) return;
    await this.#mark(filePath);
  }

  /** Somebody looks at a buffer: its marks follow what was typed. */
  async follow({ buffer, timestamp, client, cursor }: Look): Promise<void> {
    const marked = this.#marked.get(buffer);
    if (!marked) return;
    if (marked.timestamp !== timestamp) await this.#mark(buffer);
    const [hunk] = changesIn(marked.hunks, cursor.line);
    if (hunk) await this.#options.remote.do(...showRemoved(client, hunk));
  }

  /** Does what the user wants, as Kakoune has written it in a file of this name. */
  async act(name: string): Promise<void> {
    const { mailbox, say, texts } = this.#options;
    const wanted = parseWanted(mailbox.read(name) ?? "");
    // A file is reported again when there is more of it, and may be reported twice.
    if (!wanted || mailbox.take(name) === undefined) return;
    const { verb, client, path, first, last } = wanted;
    try {
      const marked = this.#marked.get(path);
      if (marked && (await texts.read(path)).timestamp !== marked.timestamp) await this.#mark(path);
      if (verb === "next") await this.#go(client, path, 1, last);
      else if (verb === "previous") await this.#go(client, path, -1, first);
      else await this.#decide(wanted);
    } catch (error) {
      say(messageOf(error));
    }
  }

  async #decide({ verb, client, path, first, last }: Wanted): Promise<void> {
    const { text = "", revision, hunks = [] } = this.#marked.get(path) ?? {};
    const chosen = changesIn(hunks, first, last);
    if (chosen.length === 0) return this.#go(client, path, 1, last);
    const { method, params, answer } = messages.decideHunks;
    const ids = chosen.map(({ id }) => id);
    const mine = verb === "revert" ? { content: text } : {};
    const asked = params.parse({ filePath: path, revision, ids, action: verb, ...mine });
    const { content } = answer.parse(await this.#options.connection.sendRequest(method, asked));
    if (content !== undefined)
      await this.#options.remote.do(inBuffer(path), ...changeText(text, content, isCrlf(text)));
    await this.#mark(path);
    await this.#go(client, path, 1, Math.min(first, ...chosen.map(firstLine)) - 1);
  }

  /** Goes to a change behind a line or before it, also in another file. */
  async #go(client: string, path: string, by: 1 | -1, from: number): Promise<void> {
    const { remote, connection, say } = this.#options;
    const lines = (this.#marked.get(path)?.hunks ?? []).map(firstLine);
    const line = nextOf(lines, from, by);
    const go = (command: string) => remote.do(`evaluate-commands -client ${quote(client)} ${quote(command)}`);
    if (line !== undefined) return go(`execute-keys ${line}gvc`);
    const { method, answer } = messages.nextWritten;
    const decided = [...this.#marked].filter(([, { hunks }]) => hunks.length === 0).map(([each]) => each);
    const asked = { filePath: path, by, decided };
    const { filePath, revision, hunks } = answer.parse(await connection.sendRequest(method, asked));
    if (filePath === null) return say("Nothing else that an agent wrote waits for you.");
    const marked = this.#marked.get(filePath)?.hunks.map(firstLine);
    const there = (marked ?? hunks.map((hunk) => hunk.line)).at(by > 0 ? 0 : -1);
    await go(`edit -existing ${quote(filePath)}${there === undefined ? "" : `; execute-keys ${there}gvc`}`);
    // The next key may decide there.
    if (!marked) await this.#mark(filePath, { revision, hunks });
  }

  /** Marks a buffer as its text is now. @param known the hunks of one that has just been opened */
  async #mark(path: string, known?: Pick<WrittenHunks, "revision" | "hunks">): Promise<void> {
    const { connection, remote, texts } = this.#options;
    const { text, timestamp } = await texts.read(path);
    const { method, answer } = messages.placeHunks;
    const asked = { filePath: path, content: text };
    const { revision, hunks: placed } = known ?? answer.parse(await connection.sendRequest(method, asked));
    const lines = linesAsShown(text);
    const hunks = placed.map(({ id, line, added, removed }) => ({
      id,
      line: line - 1,
      added: lines.slice(line - 1, line - 1 + added),
      removed: removed.map((each) => `${each}\n`),
    }));
    this.#marked.set(path, { text, timestamp, revision, hunks });
    await remote.do(inBuffer(path), "ide-companion-show-marks", ...markChanges(hunks));
  }
}
