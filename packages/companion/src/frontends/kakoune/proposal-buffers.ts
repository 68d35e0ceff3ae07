import { readFileSync } from "node:fs";
import stringWidth from "string-width";
import { isCrlf, withoutMark } from "../../files/comparable-text.ts";
import { safeText } from "../../files/safe-text.ts";
import type { OpenDiffParams } from "../lsp/messages.ts";
import { countLines, findHunks, type Hunk, touches, withoutEnd } from "../lsp/plain/hunks.ts";
import type { ProposalFolder } from "../lsp/plain/proposal-folder.ts";
import { type Mailbox, quote, type Remote } from "./remote.ts";
import type { Look } from "./session-context.ts";

/** How long Kakoune may take to open a buffer or to write one, in milliseconds. */
const limit = 5000;

/** A proposal that lies in Kakoune as a buffer. */
interface Held {
  readonly params: OpenDiffParams;
  /** Absolute path of the buffer's file. */
  readonly path: string;
  /** Between its text and the file on disk, as they are marked. */
  hunks: readonly Hunk[];
  /** The buffer's timestamp for which they are. */
  marked: string | undefined;
}

export interface ProposalBuffersOptions {
  readonly folder: ProposalFolder;
  readonly mailbox: Mailbox;
  readonly remote: Remote;
  /** The user has typed in a proposal. */
  readonly onDraft: (id: string, text: string) => void;
}

/** The proposals that lie in Kakoune as buffers, each of a private file. */
export class ProposalBuffers {
  readonly #options: ProposalBuffersOptions;
  readonly #held = new Map<string, Held>();
  #reads = 0;

  constructor(options: ProposalBuffersOptions) {
    this.#options = options;
  }

  /** Absolute paths, oldest first. */
  get paths(): readonly string[] {
    return [...this.#held.values()].map(({ path }) => path);
  }

  /** What is proposed. @throws Error when there is no such proposal */
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
    this.#held.set(id, { params, path, hunks, marked: undefined });
    const [first] = hunks;
    const title = describe(params, hunks);
    const facts = readOnlyReason === undefined ? notes : [readOnlyReason, ...notes];
    const message = [title, ...facts, ":ide-companion-review shows it"].join("\n");
    const line = first ? firstLine(first) : 1;
    const open = ["ide-companion-open", quote(path), quote(id), quote(note(title)), line];
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
    const { path, params } = this.#expect(id);
    return toProposedText(readFileSync(path, "utf8"), params.newContent);
  }

  /** The text as it stands. @throws Error when Kakoune does not tell. */
  async read(id: string): Promise<string> {
    const { path, params } = this.#expect(id);
    this.#reads += 1;
    const { mailbox } = this.#options;
    const [text, written] = [`text.${this.#reads}`, `written.${this.#reads}`];
    // The second file tells that the first is whole.
    const write = `write ${quote(`${mailbox.folder}/${text}`)}; echo -to-file ${quote(`${mailbox.folder}/${written}`)}`;
    await this.#ask(written, inBuffer(path), `evaluate-commands -no-hooks ${quote(write)}`);
    return toProposedText(mailbox.take(text) ?? "", params.newContent);
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

  async #mark(held: Held): Promise<void> {
    const text = await this.read(held.params.id);
    this.#options.onDraft(held.params.id, text);
    held.hunks = findChanges(held.params, text);
    const title = describe(held.params, held.hunks);
    const tell = `set-option buffer ide_companion_note ${quote(note(title))}`;
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

/** The commands that follow run in this buffer, and nobody sees it. `buffer` would want one to come from. */
const inBuffer = (path: string): string => `edit -existing ${quote(path)}`;

/**
 * In Kakoune's lines. A byte order mark is an option of the buffer there, and so are the ends of its lines where all are
 * CRLF; else a carriage return is a character.
 */
function findChanges({ original }: OpenDiffParams, text: string): readonly Hunk[] {
  return findHunks(withoutMark(original ?? ""), withoutMark(text), false);
}

function hunkAt({ params, hunks }: Held, line: number): Hunk | undefined {
  if (params.original === null) return undefined;
  const position = { line: line - 1, character: 0 };
  return hunks.find((hunk) => touches(hunk, { start: position, end: position }));
}

/** What the modeline of its buffer says. */
const note = (title: string): string => `${title}, :w accepts, :db rejects`;

function describe({ agent, label, readOnlyReason }: OpenDiffParams, hunks: readonly Hunk[]): string {
  const sentence = `${agent} proposes ${label} ${countLines(hunks)}`;
  return readOnlyReason === undefined ? sentence : `${sentence}, takes no edits`;
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

/** Removed lines that are shown in a box; more would cover the buffer. */
const maxShown = 12;
/** Columns that a line has at least; what is longer may be cut at the window's edge. */
const leastWidth = 80;

/** Commands that mark the changes in the buffer where they run: in the gutter as `git show-diff` does, and in the text. */
export function markChanges(hunks: readonly Hunk[]): readonly string[] {
  const set = (option: string, specs: readonly string[]) =>
    `set-option buffer ${option} %val{timestamp} ${specs.map(quote).join(" ")}`;
  return [
    set("ide_companion_flags", hunks.flatMap(toFlags)),
    set("ide_companion_ranges", hunks.flatMap(toRanges)),
    set("ide_companion_removed", hunks.flatMap(toRemoved)),
    set(
      "ide_companion_changes",
      hunks.map((hunk) => `${firstLine(hunk)}|`),
    ),
  ];
}

/** Where the user goes to see a change. @returns 1-based */
function firstLine({ line, added }: Hunk): number {
  return added.length > 0 ? line + 1 : Math.max(1, line);
}

function toFlags(hunk: Hunk): readonly string[] {
  const { line, added, removed } = hunk;
  if (added.length === 0) return [line === 0 ? "1|{red}‾" : `${line}|{red}_`];
  return added.map((_, index) => `${line + index + 1}|${index < removed.length ? "{blue}~" : "{green}+"}`);
}

function toRanges({ line, added }: Hunk): readonly string[] {
  return added.flatMap((text, index) => {
    const bytes = Buffer.byteLength(withoutEnd(text));
    return bytes === 0 ? [] : [`${line + index + 1}.1+${bytes}|IdeCompanionChange`];
  });
}

/** What each line replaces, behind its end: nothing else leaves the lines below in sight. */
function toRemoved({ line, added, removed }: Hunk): readonly string[] {
  return added.flatMap((text, index) => {
    const before = removed[index];
    if (before === undefined) return [];
    const position = `${line + index + 1}.${Buffer.byteLength(withoutEnd(text)) + 1}+0`;
    const markup = withBackslashes(`  ← ${printable(before)}`, "{");
    return [`${position}|${withBackslashes(`{IdeCompanionRemoved}${markup}`, "|")}`];
  });
}

const printable = (line: string) => safeText(withoutEnd(line).replaceAll("\t", "    "));

/** Kakoune takes a backslash before these characters away. */
const withBackslashes = (text: string, characters: string) =>
  text.replace(new RegExp(`[\\\\${characters}]`, "g"), "\\$&");

/** Whether everything that a change replaces stands behind its lines already. */
function isInLine({ added, removed }: Hunk): boolean {
  return removed.every((line, index) => {
    const text = added[index];
    return (
      text !== undefined && stringWidth(printable(text)) + stringWidth(printable(line)) + 4 <= leastWidth
    );
  });
}

/** Commands that show a client, at the lower right, what stood in the position of a change, where that is not behind its lines. */
export function showRemoved(client: string, hunk: Hunk): readonly string[] {
  if (isInLine(hunk)) return [];
  const lines = hunk.removed.slice(0, maxShown).map(withoutEnd);
  const more = hunk.removed.length - lines.length;
  const text = [...lines, ...(more > 0 ? [`… and ${more} more lines`] : [])].join("\n");
  const info = `info -title 'replaced' ${quote(text)}`;
  return [`evaluate-commands -client ${quote(client)} ${quote(info)}`];
}

/**
 * Commands that make a change of the buffer where they run as it was.
 * @param endsByCrlf whether the buffer's lines do, which then hold no return
 */
export function revertChange({ line, added, removed }: Hunk, endsByCrlf = false): readonly string[] {
  // In a buffer every line ends.
  const end = endsByCrlf ? /\r?\n?$/ : /\n?$/;
  const text = removed.map((each) => each.replace(end, "\n")).join("");
  // Missing lines come after the line before them, or before the first.
  const isInsertion = added.length === 0;
  const [from, to] = isInsertion ? [Math.max(1, line), Math.max(1, line)] : [line + 1, line + added.length];
  const act = isInsertion ? (line === 0 ? "P" : "p") : text === "" ? "xd" : "xR";
  const commands = [`select ${from}.1,${to}.1`, `set-register dquote ${quote(text)}`, `execute-keys ${act}`];
  return [`evaluate-commands -draft -save-regs '"' ${quote(commands.join("\n"))}`];
}
