import type { MessageConnection } from "vscode-languageserver/node";
import { findHunks, type Hunk, linesAsShown } from "../../core/hunks.ts";
import { isCrlf, withoutMark } from "../../files/comparable-text.ts";
import { messageOf } from "../../system/error-message.ts";
import { touches } from "../lsp/plain/hunks.ts";
import { messages } from "../protocol/messages.ts";
import type { WrittenHunks } from "../protocol/written-messages.ts";
import { type BufferTexts, inBuffer } from "./buffer-text.ts";
import { firstLine, markChanges, revertChange, showRemoved } from "./marks.ts";
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
  readonly written: WrittenHunks["hunks"];
  readonly hunks: readonly Hunk[];
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
  const words = parseWords(text);
  if (words?.at(-1) !== "end") return undefined;
  const [verb = "", client = "", path = "", selection = ""] = words;
  const lines = [...selection.matchAll(/(\d+)\.\d+/g)].map(([, line]) => Number(line));
  return { verb, client, path, first: Math.min(...lines), last: Math.max(...lines) };
}

/** What agents wrote without asking, in the buffers of its files. */
export class WrittenBuffers {
  readonly #options: WrittenBuffersOptions;
  readonly #marked = new Map<string, Marked>();
  /** Where the user has gone, until its marks have come, and which way. */
  #awaited: { readonly client: string; readonly path: string; readonly by: 1 | -1 } | undefined;

  constructor(options: WrittenBuffersOptions) {
    this.#options = options;
  }

  /** `companion/writtenHunks` */
  async take({ filePath, hunks }: WrittenHunks): Promise<void> {
    if (hunks.length === 0 && !this.#marked.has(filePath)) return;
    await this.#mark(filePath);
    if (this.#awaited?.path !== filePath) return;
    const { client, by } = this.#awaited;
    this.#awaited = undefined;
    await this.#go(client, filePath, by, by > 0 ? 0 : Number.POSITIVE_INFINITY);
  }

  /** Somebody looks at a buffer: its marks follow what was typed. */
  async follow({ buffer, timestamp, client, cursor }: Look): Promise<void> {
    const marked = this.#marked.get(buffer);
    if (!marked) return;
    if (marked.timestamp !== timestamp) await this.#mark(buffer);
    const [hunk] = this.#in(buffer, cursor.line, cursor.line);
    if (hunk) await this.#options.remote.do(...showRemoved(client, hunk));
  }

  /** Does what the user wants, as Kakoune has written it in a file of this name. */
  async act(name: string): Promise<void> {
    const { mailbox, say } = this.#options;
    const wanted = parseWanted(mailbox.read(name) ?? "");
    // A file is reported again when there is more of it, and may be reported twice.
    if (!wanted || mailbox.take(name) === undefined) return;
    const { verb, client, path, first, last } = wanted;
    try {
      if (this.#marked.has(path)) await this.#mark(path);
      if (verb === "next") await this.#go(client, path, 1, last);
      else if (verb === "previous") await this.#go(client, path, -1, first);
      else await this.#decide(wanted);
    } catch (error) {
      say(messageOf(error));
    }
  }

  async #decide({ verb, client, path, first, last }: Wanted): Promise<void> {
    const marked = this.#marked.get(path);
    const chosen = this.#in(path, first, last);
    if (!marked || chosen.length === 0) return this.#go(client, path, 1, last);
    const { method, params, answer } = messages.decideHunks;
    const { revision, written, hunks, text } = marked;
    const ids = written.filter((_, index) => chosen.includes(hunks[index] as Hunk)).map(({ id }) => id);
    const mine = verb === "revert" ? { content: text } : {};
    const asked = params.parse({ filePath: path, revision, ids, action: verb, ...mine });
    const { content } = answer.parse(await this.#options.connection.sendRequest(method, asked));
    if (content !== undefined) {
      const [before, after] = [text, content].map(withoutMark);
      // Those below first: the lines above keep their numbers.
      const edits = findHunks(after ?? "", before ?? "", false).toReversed();
      const commands = edits.flatMap((edit) => revertChange(edit, isCrlf(text)));
      await this.#options.remote.do(inBuffer(path), ...commands);
    }
    await this.#mark(path);
    await this.#go(client, path, 1, Math.min(first, ...chosen.map(firstLine)) - 1);
  }

  /** Goes to a change behind a line or before it, also in another file. */
  async #go(client: string, path: string, by: 1 | -1, from: number): Promise<void> {
    const { remote, connection, say } = this.#options;
    const lines = (this.#marked.get(path)?.hunks ?? []).map(firstLine);
    const line = by > 0 ? lines.find((each) => each > from) : lines.findLast((each) => each < from);
    const go = (command: string) => remote.do(`evaluate-commands -client ${quote(client)} ${quote(command)}`);
    if (line !== undefined) return go(`execute-keys ${line}gvc`);
    const { method, answer } = messages.nextWritten;
    const decided = [...this.#marked].filter(([, { hunks }]) => hunks.length === 0).map(([each]) => each);
    const asked = { filePath: path, by, decided };
    const { filePath } = answer.parse(await connection.sendRequest(method, asked));
    if (filePath === null) return say("Nothing else that an agent wrote waits for you.");
    const isMarked = this.#marked.has(filePath);
    this.#awaited = isMarked ? undefined : { client, path: filePath, by };
    await go(`edit -existing ${quote(filePath)}`);
    if (isMarked) await this.#go(client, filePath, by, by > 0 ? 0 : Number.POSITIVE_INFINITY);
  }

  #in(path: string, first: number, last: number): readonly Hunk[] {
    const at = (line: number) => ({ line: line - 1, character: 0 });
    const hunks = this.#marked.get(path)?.hunks ?? [];
    return hunks.filter((hunk) => touches(hunk, { start: at(first), end: at(last) }));
  }

  /** Marks a buffer as its text is now. */
  async #mark(path: string): Promise<void> {
    const { connection, remote, texts } = this.#options;
    const { text, timestamp } = await texts.read(path);
    const { method, answer } = messages.placeHunks;
    const asked = { filePath: path, content: text };
    const { revision, hunks: written } = answer.parse(await connection.sendRequest(method, asked));
    const lines = linesAsShown(text);
    const hunks = written.map(({ line, added, removed }) => ({
      line: line - 1,
      added: lines.slice(line - 1, line - 1 + added),
      removed: removed.map((each) => `${each}\n`),
    }));
    this.#marked.set(path, { text, timestamp, revision, written, hunks });
    await remote.do(inBuffer(path), "ide-companion-show-marks", ...markChanges(hunks));
  }
}
