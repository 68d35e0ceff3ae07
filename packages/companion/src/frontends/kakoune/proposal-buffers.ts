import { readFileSync } from "node:fs";
import { countLines, type Hunk } from "../../core/hunks.ts";
import type { ProposalFolder } from "../lsp/plain/proposal-folder.ts";
import type { DraftAnswer, OpenDiffParams, UpdateDiffParams } from "../protocol/messages.ts";
import {
  changesIn,
  changeText,
  firstLine,
  markChanges,
  revertChange,
  showRemoved,
  withLines,
} from "./marks.ts";
import { type BufferText, inBuffer, quote, type Session } from "./session.ts";
import type { Look } from "./session-context.ts";

/** A proposal that lies in Kakoune as a buffer. */
interface Held {
  params: Shown;
  /** What the buffer was given last. */
  given: string;
  /** Absolute path of the buffer's file. */
  readonly path: string;
  /** Between its text and the file on disk, as they are marked. */
  hunks: readonly Hunk[];
  /** The buffer's timestamp for which they are. */
  marked: string | undefined;
}

/** A proposal, and how it stands to its file, which may have changed on disk. */
type Shown = OpenDiffParams & Pick<UpdateDiffParams, "state" | "words">;

export interface ProposalBuffersOptions {
  readonly folder: ProposalFolder;
  readonly session: Pick<Session, "do" | "ask" | "writes" | "readBuffer">;
  /** The user has typed in a proposal. */
  readonly onDraft: (id: string, text: string) => Promise<DraftAnswer>;
}

/** The proposals that lie in Kakoune as buffers, each of a private file. */
export class ProposalBuffers {
  readonly #options: ProposalBuffersOptions;
  readonly #held = new Map<string, Held>();

  constructor(options: ProposalBuffersOptions) {
    this.#options = options;
  }

  /** Absolute paths, oldest first. */
  get #paths(): readonly string[] {
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
  async open(opened: OpenDiffParams): Promise<void> {
    const { id, newContent, notes, readOnlyReason } = opened;
    const path = this.#options.folder.write(id, opened, newContent);
    const params = { ...opened, state: "current" as const, words: [] };
    const hunks = toHunks(params, newContent);
    this.#held.set(id, { params, given: newContent, path, hunks, marked: undefined });
    const [first] = hunks;
    const facts = readOnlyReason === undefined ? notes : [readOnlyReason, ...notes];
    const message = [describe(params, hunks), ...facts, ":ide-companion-review shows it"].join("\n");
    const line = first ? firstLine(first) : 1;
    const open = ["ide-companion-open", quote(path), quote(id), quote(note(params, hunks)), line];
    const announce = ["ide-companion-announce", quote(path), quote(message)];
    try {
      await this.#options.session.ask(
        [`opened.${id}`],
        ...[open.join(" "), ...markChanges(hunks), announce.join(" ")],
      );
    } catch (error) {
      this.close(id);
      throw error;
    }
    await this.#options.session.do(this.#tellWaiting);
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
  async update({ id, seen, content, edits, ...changed }: UpdateDiffParams): Promise<string | undefined> {
    const { session } = this.#options;
    const held = this.#expect(id);
    const { text, timestamp } = await this.#read(held);
    if (text !== seen) return undefined;
    const params = { ...held.params, ...changed };
    const hunks = toHunks(params, content);
    const [updated, skipped] = [`updated.${id}`, `skipped.${id}`];
    const commands = [
      `ide-companion-require-calm ${timestamp}`,
      ...changeText(edits, seen, content),
      `set-option buffer ide_companion_note ${quote(note(params, hunks))}`,
      ...markChanges(hunks),
      session.writes(updated),
    ];
    const answer = await session.ask(
      [updated, skipped],
      inBuffer(held.path),
      `try ${quote(commands.join("\n"))} catch ${quote(session.writes(skipped))}`,
    );
    if (answer === skipped) return undefined;
    const isNews = params.original !== held.params.original;
    Object.assign(held, { params, given: content, hunks, marked: undefined });
    return isNews ? params.words[0] : undefined;
  }

  /** Somebody looks at a buffer: if it is a proposal's, its marks follow what was typed. */
  async follow({ buffer, timestamp, client, cursor }: Look): Promise<void> {
    const held = [...this.#held.values()].find(({ path }) => path === buffer);
    if (!held) return;
    if (held.marked !== timestamp) await this.#mark(held);
    held.marked = timestamp;
    const hunk = hunkAt(held, cursor.line);
    if (hunk) await this.#options.session.do(...showRemoved(client, hunk));
  }

  /** @param line 1-based. @returns why nothing was reverted; undefined when something was */
  async revert(id: string, line: number): Promise<string | undefined> {
    const held = this.#expect(id);
    const { readOnlyReason } = held.params;
    if (readOnlyReason !== undefined) return readOnlyReason;
    await this.#mark(held);
    const hunk = hunkAt(held, line);
    if (!hunk) return `There is no change in line ${line}.`;
    await this.#options.session.do(inBuffer(held.path), ...revertChange(hunk));
    await this.#mark(held);
    return undefined;
  }

  /** Takes its buffer away. Idempotent. */
  close(id: string): void {
    const held = this.#held.get(id);
    if (!held) return;
    this.#held.delete(id);
    this.#options.folder.remove(id);
    const remove = `try ${quote(`delete-buffer! ${quote(held.path)}`)}`;
    this.#options.session.do(remove, this.#tellWaiting).catch(() => {
      // The session has ended, and its buffers with it.
    });
  }

  /** Takes every buffer away that the user has not edited. */
  async abandon(): Promise<void> {
    const commands = this.#paths.map((path) => `try ${quote(`delete-buffer ${quote(path)}`)}`);
    this.#held.clear();
    await this.#options.session.do(...commands);
  }

  /** The command that tells the script what waits. */
  get #tellWaiting(): string {
    return `set-option global ide_companion_waiting ${this.#paths.map(quote).join(" ")}`;
  }

  async #read({ path, given }: Held): Promise<BufferText> {
    const { text, timestamp } = await this.#options.session.readBuffer(path);
    return { text: toProposedText(text, given), timestamp };
  }

  async #mark(held: Held): Promise<void> {
    const { text } = await this.#read(held);
    const { facts = [], hunks = [] } = (await this.#options.onDraft(held.params.id, text)) ?? {};
    held.params = { ...held.params, facts, hunks };
    held.hunks = toHunks(held.params, text);
    const tell = `set-option buffer ide_companion_note ${quote(note(held.params, held.hunks))}`;
    await this.#options.session.do(inBuffer(held.path), tell, ...markChanges(held.hunks));
  }

  #expect(id: string): Held {
    const held = this.#held.get(id);
    if (!held) throw new Error(`no diff ${id} is open`);
    return held;
  }
}

const toHunks = ({ hunks, original }: Pick<Shown, "hunks" | "original">, text: string): readonly Hunk[] =>
  withLines(hunks, original ?? "", text);

function hunkAt({ params, hunks }: Held, line: number): Hunk | undefined {
  return params.original === null ? undefined : changesIn(hunks, line)[0];
}

/** What the modeline of its buffer says. */
function note(params: Shown, hunks: readonly Hunk[]): string {
  const accepts = params.state === "clash" ? "choose, then :w accepts, " : ":w accepts, ";
  return `${describe(params, hunks)}, ${params.state === "stale" ? "" : accepts}:db rejects`;
}

/** First what the user must not miss: what comes last may be cut. */
function describe({ agent, label, readOnlyReason, facts, words }: Shown, hunks: readonly Hunk[]): string {
  const noEdits = readOnlyReason === undefined ? [] : ["takes no edits"];
  const known = [...facts, ...words.slice(-1), ...noEdits].join(", ");
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
