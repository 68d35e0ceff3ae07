import { readFileSync } from "node:fs";
import type { DiffState } from "../../core/editor.ts";
import { countLines, findHunks, type Hunk } from "../../core/hunks.ts";
import { isCrlf, withoutMark } from "../../files/comparable-text.ts";
import { wordsOf } from "../lsp/diff-state.ts";
import type { ProposalFolder } from "../lsp/plain/proposal-folder.ts";
import type { DraftAnswer, OpenDiffParams, UpdateDiffParams } from "../protocol/messages.ts";
import { type BufferText, type BufferTexts, inBuffer, limit } from "./buffer-text.ts";
import { changesIn, changeText, firstLine, markChanges, revertChange, showRemoved } from "./marks.ts";
import { type Mailbox, quote, type Remote } from "./remote.ts";
import type { Look } from "./session-context.ts";

/** A proposal that lies in Kakoune as a buffer. */
interface Held {
  params: OpenDiffParams;
  /** What the buffer was given last. */
  given: string;
  /** Absolute path of the buffer's file. */
  readonly path: string;
  /** Between its text and the file on disk, as they are marked. */
  hunks: readonly Hunk[];
  /** How it stands to the file, which may have changed on disk. */
  state: DiffState;
  /** The buffer's timestamp for which they are. */
  marked: string | undefined;
}

export interface ProposalBuffersOptions {
  readonly folder: ProposalFolder;
  readonly mailbox: Pick<Mailbox, "folder" | "take" | "receive">;
  readonly remote: Pick<Remote, "do">;
  readonly texts: Pick<BufferTexts, "read">;
  /** The user has typed in a proposal. */
  readonly onDraft: (id: string, text: string) => Promise<DraftAnswer>;
}

/** The proposals that lie in Kakoune as buffers, each of a private file. */
export class ProposalBuffers {
  readonly #options: ProposalBuffersOptions;
  readonly #held = new Map<string, Held>();
  #asked = 0;

  constructor(options: ProposalBuffersOptions) {
    this.#options = options;
  }

  /** Absolute paths, oldest first. */
  get paths(): readonly string[] {
    return [...this.#held.values()].map(({ path }) => path);
  }

  /** Absolute path of a proposal's buffer; undefined where it has none. */
  pathOf(id: string): string | undefined {
    return this.#held.get(id)?.path;
  }

  /** The proposal as the server has sent it. @throws Error when there is no such proposal */
  paramsOf(id: string): OpenDiffParams {
    return this.#expect(id).params;
  }

  has(id: string): boolean {
    return this.#held.has(id);
  }

  /** @throws Error when Kakoune does not open it. */
  async open(params: OpenDiffParams): Promise<void> {
    const { id, newContent, notes, readOnlyReason } = params;
    const path = this.#options.folder.write(id, params, newContent);
    const hunks = findChanges(params, newContent);
    this.#held.set(id, { params, given: newContent, path, hunks, state: "current", marked: undefined });
    const [first] = hunks;
    const facts = readOnlyReason === undefined ? notes : [readOnlyReason, ...notes];
    const title = describe(params, hunks, "current");
    const message = [title, ...facts, ":ide-companion-review shows it"].join("\n");
    const line = first ? firstLine(first) : 1;
    const open = ["ide-companion-open", quote(path), quote(id), quote(note(title, "current")), line];
    const announce = ["ide-companion-announce", quote(path), quote(message)];
    try {
      await this.#ask(`opened.${id}`, open.join(" "), ...markChanges(hunks), announce.join(" "));
    } catch (error) {
      this.close(id);
      throw error;
    }
  }

  /** The text as it was written last. */
  written(id: string): string {
    const { path, given } = this.#expect(id);
    return toProposedText(readFileSync(path, "utf8"), given);
  }

  /** The text as it stands. @throws Error when Kakoune does not tell. */
  async read(id: string): Promise<string> {
    return (await this.#read(this.#expect(id))).text;
  }

  /**
   * There is another text, perhaps because the file on disk has changed. While the user types, nothing does here.
   * @returns how it stands to its file, where that is news
   * @throws Error when Kakoune does not tell.
   */
  async update({ id, seen, content, state, ...changed }: UpdateDiffParams): Promise<string | undefined> {
    const held = this.#expect(id);
    const { text, timestamp } = await this.#read(held);
    if (text !== seen) return undefined;
    const params = { ...held.params, ...changed };
    const hunks = findChanges(params, content);
    const [updated, skipped] = [`updated.${this.#asked}`, `skipped.${this.#asked}`];
    const { mailbox, remote } = this.#options;
    const tell = (name: string) => `echo -to-file ${quote(`${mailbox.folder}/${name}`)}`;
    const commands = [
      `ide-companion-require-calm ${timestamp}`,
      ...changeText(text, content, isCrlf(held.params.newContent)),
      `set-option buffer ide_companion_note ${quote(note(describe(params, hunks, state), state))}`,
      ...markChanges(hunks),
      tell(updated),
    ];
    const [answer] = await Promise.all([
      mailbox.receive([updated, skipped], limit),
      remote.do(inBuffer(held.path), `try ${quote(commands.join("\n"))} catch ${quote(tell(skipped))}`),
    ]);
    if (answer === skipped) return undefined;
    const isNews = params.original !== held.params.original;
    Object.assign(held, { params, given: content, hunks, state, marked: undefined });
    return isNews ? wordsOf(state, params.agent, params.filePath)[0] : undefined;
  }

  /** Somebody looks at a buffer: if it is a proposal's, its marks follow what was typed. */
  async follow({ buffer, timestamp, client, cursor }: Look): Promise<void> {
    const held = [...this.#held.values()].find(({ path }) => path === buffer);
    if (!held) return;
    if (held.marked !== timestamp) await this.#mark(held);
    held.marked = timestamp;
    const hunk = hunkAt(held, cursor.line);
    if (hunk) await this.#options.remote.do(...showRemoved(client, hunk));
  }

  /** @param line 1-based. @returns whether there is a change */
  async revert(id: string, line: number): Promise<boolean> {
    const held = this.#expect(id);
    await this.#mark(held);
    const hunk = hunkAt(held, line);
    if (!hunk) return false;
    const { path, params } = held;
    await this.#options.remote.do(inBuffer(path), ...revertChange(hunk, isCrlf(params.newContent)));
    await this.#mark(held);
    return true;
  }

  /** Takes its buffer away. Idempotent. */
  close(id: string): void {
    const held = this.#held.get(id);
    if (!held) return;
    this.forget(id);
    this.#options.remote.do(`try ${quote(`delete-buffer! ${quote(held.path)}`)}`).catch(() => {
      // The session has ended, and its buffers with it.
    });
  }

  /** Its buffer is gone. */
  forget(id: string): void {
    this.#held.delete(id);
    this.#options.folder.remove(id);
  }

  /** Takes every buffer away that the user has not edited. */
  async abandon(): Promise<void> {
    const commands = this.paths.map((path) => `try ${quote(`delete-buffer ${quote(path)}`)}`);
    this.#held.clear();
    await this.#options.remote.do(...commands);
  }

  async #read({ path, given }: Held): Promise<BufferText> {
    const { text, timestamp } = await this.#options.texts.read(path);
    return { text: toProposedText(text, given), timestamp };
  }

  async #mark(held: Held): Promise<void> {
    const text = await this.read(held.params.id);
    const facts = (await this.#options.onDraft(held.params.id, text))?.facts ?? [];
    held.params = { ...held.params, facts };
    held.hunks = findChanges(held.params, text);
    const title = describe(held.params, held.hunks, held.state);
    const tell = `set-option buffer ide_companion_note ${quote(note(title, held.state))}`;
    await this.#options.remote.do(inBuffer(held.path), tell, ...markChanges(held.hunks));
  }

  /** Sends commands, of which the last writes a file. @throws Error when it does not. */
  async #ask(name: string, ...commands: readonly string[]): Promise<void> {
    const { mailbox, remote } = this.#options;
    await Promise.all([mailbox.receive([name], limit), remote.do(...commands)]);
  }

  #expect(id: string): Held {
    const held = this.#held.get(id);
    if (!held) throw new Error(`no diff ${id} is open`);
    return held;
  }
}

/**
 * In Kakoune's lines. A byte order mark is an option of the buffer there, and so are the ends of its lines where all are
 * CRLF; else a carriage return is a character.
 */
function findChanges({ original }: OpenDiffParams, text: string): readonly Hunk[] {
  return findHunks(withoutMark(original ?? ""), withoutMark(text), false);
}

function hunkAt({ params, hunks }: Held, line: number): Hunk | undefined {
  return params.original === null ? undefined : changesIn(hunks, line)[0];
}

/** What the modeline of its buffer says. */
function note(title: string, state: DiffState): string {
  if (state === "stale") return `${title}, :db rejects`;
  return `${title}, ${state === "clash" ? "choose, then " : ""}:w accepts, :db rejects`;
}

/** First what the user must not miss: what comes last may be cut. */
function describe(
  { agent, label, filePath, readOnlyReason, facts }: OpenDiffParams,
  hunks: readonly Hunk[],
  state: DiffState,
): string {
  const known = [
    ...facts,
    ...wordsOf(state, agent, filePath).slice(-1),
    ...(readOnlyReason === undefined ? [] : ["takes no edits"]),
  ].join(", ");
  return `${known === "" ? "" : `${known}: `}${agent} proposes ${label} ${countLines(hunks)}`;
}

/**
 * The text that a buffer stands for. Kakoune keeps line ends and a byte order mark as they are, but ends the last
 * line of every file that it writes.
 * @param written as Kakoune has written the buffer
 * @param proposed as it was given to Kakoune
 */
export function toProposedText(written: string, proposed: string): string {
  if (proposed.endsWith("\n")) return written;
  if (written === `${proposed}\n` || written === `${proposed}\r\n`) return proposed;
  return written.replace(proposed.includes("\r\n") ? /\r?\n$/ : /\n$/, "");
}
