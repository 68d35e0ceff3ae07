import type { MessageConnection } from "vscode-languageserver/node";
import { type Hunk, linesAsShown, nextOf } from "../../core/hunks.ts";
import { messages } from "../protocol/messages.ts";
import type { WrittenHunks } from "../protocol/written-messages.ts";
import { changesIn, changeText, firstLine, markChanges, showRemoved } from "./marks.ts";
import { askServer } from "./server.ts";
import { inBuffer, type Session } from "./session.ts";
import type { Look } from "./session-context.ts";

export interface WrittenBuffersOptions {
  readonly connection: MessageConnection;
  readonly session: Pick<Session, "do" | "doIn" | "say" | "readBuffer">;
}

/** A buffer of a file that an agent has written, as it is marked. */
interface Marked {
  readonly text: string;
  readonly timestamp: string;
  readonly revision: string;
  readonly hunks: readonly (Hunk & { readonly id: string })[];
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
    if (hunk) await this.#options.session.do(...showRemoved(client, hunk));
  }

  /** Does what the user wants, in words of the script. @throws Error with a sentence */
  async act([verb, client, path, selection]: readonly string[] = []): Promise<void> {
    if (!verb || !client || !path || !selection) return;
    const lines = [...selection.matchAll(/(\d+)\.\d+/g)].map(([, line]) => Number(line));
    const [first, last] = [Math.min(...lines), Math.max(...lines)];
    if (this.#marked.has(path)) await this.#mark(path);
    if (verb === "next") await this.#go(client, path, 1, last);
    else if (verb === "previous") await this.#go(client, path, -1, first);
    else await this.#decide(verb, client, path, [first, last]);
  }

  /** @param lines the first and the last, from 1 */
  async #decide(verb: string, client: string, path: string, lines: readonly [number, number]): Promise<void> {
    const { connection, session } = this.#options;
    const { text, revision } = this.#marked.get(path) ?? {};
    const [first, last] = lines;
    if (text === undefined) return this.#go(client, path, 1, last);
    const wanted = { filePath: path, revision, content: text, lines: { first, last }, action: verb };
    const asked = messages.decideHunks.params.parse(wanted);
    const { content, edits = [], line } = await askServer(connection, messages.decideHunks, asked);
    if (content !== undefined) await session.do(inBuffer(path), ...changeText(edits, text, content));
    await this.#mark(path);
    await this.#go(client, path, 1, line);
  }

  /** Goes to a change behind a line or before it, also in another file. */
  async #go(client: string, path: string, by: 1 | -1, from: number): Promise<void> {
    const { session, connection } = this.#options;
    const lines = (this.#marked.get(path)?.hunks ?? []).map(firstLine);
    const line = nextOf(lines, from, by);
    if (line !== undefined) return session.doIn(client, `execute-keys ${line}gvc`);
    const asked = { filePath: path, line: from, by };
    const { filePath, revision, hunks } = await askServer(connection, messages.nextWritten, asked);
    if (filePath === null) return session.say("Nothing else that an agent wrote waits for you.");
    const marked = this.#marked.get(filePath)?.hunks.map(firstLine);
    const there = (marked ?? hunks.map((hunk) => hunk.line)).at(by > 0 ? 0 : -1);
    const move = there === undefined ? "" : `; execute-keys ${there}gvc`;
    await session.doIn(client, inBuffer(filePath) + move);
    // The next key may decide there.
    if (!marked) await this.#mark(filePath, { revision, hunks });
  }

  /** Marks a buffer as its text is now. @param known the hunks of one that has just been opened */
  async #mark(path: string, known?: Pick<WrittenHunks, "revision" | "hunks">): Promise<void> {
    const { connection, session } = this.#options;
    const { text, timestamp } = await session.readBuffer(path);
    const asked = { filePath: path, content: text };
    const { revision, hunks: placed } = known ?? (await askServer(connection, messages.placeHunks, asked));
    const lines = linesAsShown(text);
    const hunks = placed.map(({ id, line, added, removed }) => ({
      id,
      line: line - 1,
      added: lines.slice(line - 1, line - 1 + added),
      removed: removed.map((each) => `${each}\n`),
    }));
    this.#marked.set(path, { text, timestamp, revision, hunks });
    await session.do(inBuffer(path), "ide-companion-show-marks", ...markChanges(hunks));
  }
}
