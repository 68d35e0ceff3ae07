import type { Decision, Proposal, Verdict } from "../../editor.ts";
import { toComparable } from "./comparable-text.ts";
import { readFileText } from "./file-text.ts";
import { countLineChanges, type LineChanges } from "./line-changes.ts";
import { type PlaceLabel, placeLabel } from "./place-label.ts";
import type { FileText, ProposalSummary } from "./protocol.ts";

/** What became of a draft that a page sent. */
export interface DraftTaken {
  readonly revision: number;
  /** Another page's draft was on its way to the author: it must hear that its own is the last word. */
  readonly crossed: boolean;
}

export interface HeldProposalOptions {
  readonly proposal: Proposal;
  readonly decide: (decision: Decision) => Verdict;
  readonly wireId: string;
  readonly roots: readonly string[];
  /** The summary is another one now. */
  readonly onChange: () => void;
}

/** One proposal under review: the file it was made for, and its text as the pages have edited it. */
export class HeldProposal {
  readonly proposal: Proposal;
  readonly decide: (decision: Decision) => Verdict;
  readonly wireId: string;
  /** The file as it was when the change was proposed. */
  readonly original: Promise<FileText>;
  readonly #onChange: () => void;
  #originalKind: FileText["kind"] | undefined;
  #place: PlaceLabel;
  #changes: LineChanges = { added: 0, removed: 0 };
  #counting: Promise<void>;
  #draft: string;
  #isCounted = false;
  #revision = 0;
  #author: object | undefined;
  /** The newest revision that is not the last author's. */
  #foreignRevision = 0;

  constructor({ proposal, decide, wireId, roots, onChange }: HeldProposalOptions) {
    this.proposal = proposal;
    this.decide = decide;
    this.wireId = wireId;
    this.#onChange = onChange;
    this.#draft = proposal.newContent;
    this.#place = { label: proposal.filePath, outsideRoots: false };
    this.original = readFileText(proposal.filePath);
    this.#counting = this.#begin(roots);
  }

  /** The file has been read and counted: there is something to show. */
  get isReady(): boolean {
    return this.#originalKind !== undefined;
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
      ...this.#place,
      openedAt,
      ...this.#changes,
      isNewFile: this.#originalKind === "missing",
      edited: this.#draft !== newContent,
    };
  }

  /** The last writer wins. */
  write(text: string, author: object, seenRevision: number): DraftTaken {
    if (author !== this.#author) this.#foreignRevision = this.#revision;
    const crossed = seenRevision < this.#foreignRevision;
    this.#author = author;
    this.#revision += 1;
    this.#draft = text;
    if (this.#isCounted) this.#counting = this.#recount();
    return { revision: this.#revision, crossed };
  }

  async relabel(roots: readonly string[]): Promise<void> {
    this.#place = await placeLabel(this.proposal.filePath, roots);
    this.#onChange();
  }

  async #begin(roots: readonly string[]): Promise<void> {
    this.#place = await placeLabel(this.proposal.filePath, roots);
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
    this.#originalKind = original.kind;
    this.#onChange();
  }
}
