import type { TextEdit } from "vscode-languageserver";
import type { Decision, DecisionResult, Proposal } from "../../../core/editor.ts";
import { withoutMark } from "../../../files/comparable-text.ts";
import { toFileUri } from "../file-uri.ts";
import { type Original, originalOf } from "../original.ts";
import type { OpenDocument } from "./document.ts";
import { findHunks, type Hunk, revert } from "./hunks.ts";

const mark = "\uFEFF";
/** How long what was typed may be with us alone, in milliseconds: to take all of a large text for each key would be slow. */
const drafting = 100;

export interface ReviewedProposalParts {
  readonly proposal: Proposal;
  readonly decide: (decision: Decision) => DecisionResult;
  readonly saveDraft: (text: string) => void;
  readonly original: Original;
  /** Absolute path of the file that the editor opens. */
  readonly path: string;
  /** Reads that file as it is on disk. */
  readonly readFile: () => string;
  /** The editor's document of it, while there is one. */
  readonly document: () => OpenDocument | undefined;
  /** Whether the editor ends a line by a carriage return alone. */
  readonly returnsEndLines: boolean;
}

/** A proposal that lies in the editor as a separate document. */
export class ReviewedProposal {
  readonly decide: (decision: Decision) => DecisionResult;
  readonly path: string;
  /** Aborted once nothing about it is of interest any more. */
  readonly end = new AbortController();
  #proposal: Proposal;
  #original: Original;
  readonly #readFile: () => string;
  readonly #document: () => OpenDocument | undefined;
  readonly #saveDraft: (text: string) => void;
  readonly #returnsEndLines: boolean;
  /** The editor has taken the byte order mark away, or keeps it where nobody sees it. */
  #losesMark = false;
  /** Runs while something typed has not been saved. */
  #drafting: NodeJS.Timeout | undefined;
  #hunks: { readonly text: string; readonly hunks: readonly Hunk[] } | undefined;

  constructor(parts: ReviewedProposalParts) {
    this.#proposal = parts.proposal;
    this.decide = parts.decide;
    this.#original = parts.original;
    this.path = parts.path;
    this.#readFile = parts.readFile;
    this.#document = parts.document;
    this.#saveDraft = parts.saveDraft;
    this.#returnsEndLines = parts.returnsEndLines;
  }

  get proposal(): Proposal {
    return this.#proposal;
  }

  get original(): Original {
    return this.#original;
  }

  /** Its file has changed. @param proposal with the file as it is now */
  rebase(proposal: Proposal): void {
    this.#proposal = proposal;
    this.#original = originalOf(proposal);
    this.#hunks = undefined;
  }

  /** The edits that make its document hold a text. The last come first, so that none moves another one. */
  editsTo(text: string): TextEdit[] {
    const wanted = this.#losesMark ? withoutMark(text) : text;
    return findHunks(wanted, this.#text(), this.#returnsEndLines).map(revert).reverse();
  }

  /** As the editor writes it, or as we do as long as it has not opened it. */
  get uri(): string {
    return this.#document()?.uri ?? toFileUri(this.path);
  }

  get version(): number | null {
    return this.#document()?.version ?? null;
  }

  /** The editor has opened it, or opened it again. */
  opened(): void {
    this.#losesMark = this.proposal.newContent.startsWith(mark) && !this.#text().startsWith(mark);
  }

  /** As it stands in the editor, unsaved edits included. */
  get text(): string {
    return this.#losesMark ? mark + this.#text() : this.#text();
  }

  /** The user has typed: saved shortly. */
  typed(): void {
    this.#drafting ??= setTimeout(() => this.saveDraft(), drafting).unref();
  }

  /** Saves at once what waits to be saved. */
  flush(): void {
    if (this.#drafting !== undefined) this.saveDraft();
  }

  saveDraft(): void {
    this.forgetTyped();
    this.#saveDraft(this.text);
  }

  /** What was typed is safe elsewhere, or not wanted. */
  forgetTyped(): void {
    clearTimeout(this.#drafting);
    this.#drafting = undefined;
  }

  /** Against the file on disk, counted in the editor's lines. */
  get hunks(): readonly Hunk[] {
    const text = this.#text();
    const original = this.original.text ?? "";
    const base = this.#losesMark ? withoutMark(original) : original;
    if (this.#hunks?.text !== text)
      this.#hunks = { text, hunks: findHunks(base, text, this.#returnsEndLines) };
    return this.#hunks.hunks;
  }

  #text(): string {
    return this.#document()?.text ?? this.#readFile();
  }
}
