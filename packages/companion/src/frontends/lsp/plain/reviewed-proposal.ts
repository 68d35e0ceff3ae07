import type { TextEdit } from "vscode-languageserver";
import type { Proposal, ShownChange } from "../../../core/editor.ts";
import { findHunks, type Hunk } from "../../../core/hunks.ts";
import { withoutMark } from "../../../files/comparable-text.ts";
import { createDeferred } from "../../../system/deferred.ts";
import { type Original, originalOf } from "../../protocol/original.ts";
import { toFileUri } from "../file-uri.ts";
import type { OpenDocument } from "./document.ts";
import { revert } from "./hunks.ts";

const mark = "\uFEFF";
/** How long what was typed may be with us alone, in milliseconds: to take all of a large text for each key would be slow. */
const drafting = 50;
/** Of quiet before the marks follow what was typed, in milliseconds. */
const typing = 150;
/** Between a document's end and its return, as when an editor loads it again, in milliseconds. */
export const reload = 500;

export interface ReviewedProposalParts {
  readonly change: ShownChange;
  /** Absolute path of the file that the editor opens. */
  readonly path: string;
  /** Reads that file as it is on disk. */
  readonly readFile: () => string;
  /** The editor's document of it, while there is one. */
  readonly document: () => OpenDocument | undefined;
  /** Whether the editor ends a line by a carriage return alone. */
  readonly returnsEndLines: boolean;
  /** Shows its marks as they are now. */
  readonly mark: () => void;
  /** The user has closed its document. */
  readonly onClosed: () => void;
}

/** A proposal that lies in the editor as a separate document. */
export class ReviewedProposal {
  readonly change: ShownChange;
  readonly path: string;
  readonly #opened = createDeferred<void>();
  /** Resolves once the editor has opened it. */
  readonly isOpened = this.#opened.promise;
  readonly #end = new AbortController();
  readonly #marking: Delay;
  readonly #closing: Delay;
  readonly #parts: ReviewedProposalParts;
  #original: Original;
  /** The editor has taken the byte order mark away, or keeps it where nobody sees it. */
  #losesMark = false;
  /** Runs while something typed has not been saved. */
  #drafting: NodeJS.Timeout | undefined;
  #hunks: { readonly text: string; readonly hunks: readonly Hunk[] } | undefined;

  constructor(parts: ReviewedProposalParts) {
    this.#parts = parts;
    this.change = parts.change;
    this.#original = originalOf(parts.change.proposal);
    this.path = parts.path;
    this.#marking = createDelay(typing, parts.mark);
    this.#closing = createDelay(reload, parts.onClosed);
  }

  /** Aborted once nothing about it is of interest any more. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  get proposal(): Proposal {
    return this.change.proposal;
  }

  get original(): Original {
    return this.#original;
  }

  /** What its user must not miss, in a few words before all else. */
  get facts(): readonly string[] {
    const { difference, loss } = this.#original;
    const isEdited = this.text !== this.proposal.newContent;
    return [isEdited ? undefined : difference, loss].filter((fact) => fact !== undefined);
  }

  /** The changes that its user can revert: none of a new file, or where its agent takes no edits. */
  get revertible(): readonly Hunk[] {
    const isWhole = this.original.text === null || this.proposal.readOnlyReason !== undefined;
    return isWhole ? [] : this.hunks;
  }

  /** Its file has changed, and its proposal with it. */
  rebased(): void {
    this.#original = originalOf(this.proposal);
    this.#hunks = undefined;
  }

  /** The edits that make its document hold a text. The last come first, so that none moves another one. */
  editsTo(text: string): TextEdit[] {
    const wanted = this.#losesMark ? withoutMark(text) : text;
    return findHunks(wanted, this.#text(), this.#parts.returnsEndLines).map(revert).reverse();
  }

  /** As the editor writes it, or as we do as long as it has not opened it. */
  get uri(): string {
    return this.#parts.document()?.uri ?? toFileUri(this.path);
  }

  get version(): number | null {
    return this.#parts.document()?.version ?? null;
  }

  /** The editor has opened it, or opened it again. */
  opened(): void {
    if (this.ended.aborted) return;
    this.#closing.stop();
    this.#losesMark = this.proposal.newContent.startsWith(mark) && !this.#text().startsWith(mark);
    this.#parts.mark();
    this.#opened.resolve();
  }

  /** As it stands in the editor, unsaved edits included. */
  get text(): string {
    return this.#losesMark ? mark + this.#text() : this.#text();
  }

  /** The user has typed: written shortly, also after its end. */
  edited(): void {
    this.#drafting ??= setTimeout(() => this.write(), drafting).unref();
    if (!this.ended.aborted) this.#marking.start();
  }

  /** The editor has closed it, and may open it again. */
  closed(): void {
    if (this.#drafting !== undefined) this.write();
    if (!this.ended.aborted) this.#closing.start();
  }

  /** Its change has the text as it stands in the editor. */
  write(): void {
    this.#forgetTyped();
    this.change.write(this.text);
  }

  /** Nothing about it is of interest any more. What was typed is safe elsewhere, or not wanted. */
  end(): void {
    this.#marking.stop();
    this.#closing.stop();
    this.#forgetTyped();
    this.#end.abort();
  }

  #forgetTyped(): void {
    clearTimeout(this.#drafting);
    this.#drafting = undefined;
  }

  /** Against the file on disk, counted in the editor's lines. */
  get hunks(): readonly Hunk[] {
    const text = this.#text();
    const original = this.original.text ?? "";
    const base = this.#losesMark ? withoutMark(original) : original;
    if (this.#hunks?.text !== text)
      this.#hunks = { text, hunks: findHunks(base, text, this.#parts.returnsEndLines) };
    return this.#hunks.hunks;
  }

  #text(): string {
    return this.#parts.document()?.text ?? this.#parts.readFile();
  }
}

type Delay = ReturnType<typeof createDelay>;

/** Something that happens after a while, unless it is put off or called off. It keeps no process alive. */
function createDelay(milliseconds: number, action: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    /** From now on, also when it runs already. */
    start() {
      clearTimeout(timer);
      timer = setTimeout(action, milliseconds).unref();
    },
    stop: () => clearTimeout(timer),
  };
}
