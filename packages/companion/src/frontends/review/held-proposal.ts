import type { Decision, DecisionResult, Proposal } from "../../core/editor.ts";
import { toComparable } from "../../files/comparable-text.ts";
import type { FileText } from "../../files/file-text.ts";
import { readFileText } from "../../files/file-text.ts";
import { type PathLabel, pathLabel } from "../../files/path-label.ts";
import { countLineChanges, type LineChanges } from "./line-changes.ts";
import type { Page } from "./page.ts";
import type { ProposalSummary } from "./protocol.ts";

/** A page that edits a proposal. */
export type Author = Pick<Page, "id" | "key">;

export interface HeldProposalOptions {
  readonly proposal: Proposal;
  readonly decide: (decision: Decision) => DecisionResult;
  readonly saveDraft: (text: string) => void;
  readonly wireId: string;
  readonly roots: readonly string[];
  /** The summary is another one now. */
  readonly onChange: () => void;
}

/** One proposal under review: the file it was made for, and its text as the pages have edited it. */
export class HeldProposal {
  readonly proposal: Proposal;
  readonly decide: (decision: Decision) => DecisionResult;
  /** Also for what comes after the decision. */
  readonly saveDraft: (text: string) => void;
  readonly wireId: string;
  /** The file as it was when the change was proposed. */
  readonly original: Promise<FileText>;
  readonly #onChange: () => void;
  #original: FileText | undefined;
  #path: PathLabel;
  #changes: LineChanges = { added: 0, removed: 0 };
  #counting: Promise<void>;
  #draft: string;
  #isCounted = false;
  #revision = 0;
  /** The one page that edits it. */
  #editor: Author | undefined;
  /** Who wrote last; survives that page's socket. */
  #lastAuthor: string | undefined;
  /** The newest revision that is not the last author's. */
  #foreignRevision = 0;

  constructor({ proposal, decide, saveDraft, wireId, roots, onChange }: HeldProposalOptions) {
    this.proposal = proposal;
    this.decide = decide;
    this.saveDraft = saveDraft;
    this.wireId = wireId;
    this.#onChange = onChange;
    this.#draft = proposal.newContent;
    this.#path = { label: proposal.filePath, outsideRoots: false };
    this.original = readFileText(proposal.filePath);
    this.#counting = this.#begin(roots);
  }

  /** The file has been read and counted: there is something to show. */
  get isReady(): boolean {
    return this.#original !== undefined;
  }

  /** The original, once it has been read. */
  get before(): FileText | undefined {
    return this.#original;
  }

  get draft(): string {
    return this.#draft;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Resolves when the summary's figures are those of the draft. */
  async counted(): Promise<ProposalSummary> {
    await this.#counting;
    return this.summary;
  }

  get summary(): ProposalSummary {
    const { agent, filePath, newContent, openedAt } = this.proposal;
    return {
      id: this.wireId,
      agent,
      filePath,
      ...this.#path,
      openedAt,
      ...this.#changes,
      isNewFile: this.#original?.kind === "missing",
      edited: this.#draft !== newContent,
      ...(this.#editor ? { editedIn: this.#editor.id } : {}),
    };
  }

  /** The page that edits it, when there is one. */
  get editor(): Author | undefined {
    return this.#editor;
  }

  /**
   * One page edits at a time: the first that types, until another one takes over or it closes.
   * @returns whether the text counts; it does not when another page edits, or has edited what this one had not seen.
   */
  write(text: string, author: Author, seenRevision: number): boolean {
    const name = author.key ?? author.id;
    const foreignRevision = name === this.#lastAuthor ? this.#foreignRevision : this.#revision;
    const isElsewhere = this.#editor !== undefined && this.#editor.id !== author.id;
    if (isElsewhere || seenRevision < foreignRevision) return false;
    this.#foreignRevision = foreignRevision;
    this.#lastAuthor = name;
    this.#revision += 1;
    this.#draft = text;
    this.saveDraft(text);
    this.handOver(author);
    if (this.#isCounted) this.#counting = this.#recount();
    return true;
  }

  /** From now on this page edits it. */
  handOver(page: Author): void {
    if (this.#editor?.id === page.id) return;
    this.#editor = page;
    this.#onChange();
  }

  /** A page is closed. */
  release(page: Author): void {
    if (this.#editor?.id !== page.id) return;
    this.#editor = undefined;
    this.#onChange();
  }

  async relabel(roots: readonly string[]): Promise<void> {
    this.#path = await pathLabel(this.proposal.filePath, roots);
    this.#onChange();
  }

  async #begin(roots: readonly string[]): Promise<void> {
    this.#path = await pathLabel(this.proposal.filePath, roots);
    await this.#recount();
  }

  /** Counts until the figures are those of the draft; what is written meanwhile joins the count under way. */
  async #recount(): Promise<void> {
    this.#isCounted = false;
    const original = await this.original;
    const { text: before } = toComparable(
      original.kind === "text" ? original.text : "",
      this.proposal.newContent,
    );
    for (let text: string | undefined; text !== this.#draft; ) {
      text = this.#draft;
      this.#changes = await countLineChanges(before, text);
    }
    this.#isCounted = true;
    this.#original = original;
    this.#onChange();
  }
}
