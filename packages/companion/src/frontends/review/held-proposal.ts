import { setTimeout as wait } from "node:timers/promises";
import type {
  Comment,
  Decision,
  DecisionResult,
  DiffState,
  DiffUpdate,
  Proposal,
} from "../../core/editor.ts";
import { toComparable } from "../../files/comparable-text.ts";
import type { FileText } from "../../files/file-text.ts";
import type { PathLabel } from "../../files/workspace-path.ts";
import { countLineChanges, type LineChanges } from "./line-changes.ts";
import type { Page } from "./page.ts";
import type { ProposalSummary } from "./protocol.ts";

/** Milliseconds for which a proposal waits for its figures: those of megabytes come when it is shown. */
const patience = 20;

/** A page that edits a proposal. */
export type Author = Pick<Page, "id" | "key">;

export interface HeldProposalOptions {
  readonly proposal: Proposal;
  readonly decide: (decision: Decision) => DecisionResult;
  readonly saveDraft: (text: string) => void;
  readonly saveComments: (comments: readonly Comment[]) => void;
  readonly wireId: string;
  readonly labelOf: (path: string) => Promise<PathLabel>;
  /** The summary is another one now. */
  readonly onChange: () => void;
}

/** One proposal under review: the file it was made for, and its text as the pages have edited it. */
export class HeldProposal {
  #proposal: Proposal;
  #state: DiffState = "current";
  readonly decide: (decision: Decision) => DecisionResult;
  /** Also for what comes after the decision. */
  readonly saveDraft: (text: string) => void;
  readonly saveComments: (comments: readonly Comment[]) => void;
  #comments: readonly Comment[] = [];
  /** Keys of the hunks that are marked as viewed; undefined until a page has had it in front. */
  #viewed: readonly string[] | undefined;
  readonly wireId: string;
  readonly #labelOf: (path: string) => Promise<PathLabel>;
  readonly #onChange: () => void;
  #path: PathLabel;
  #changes: LineChanges | undefined;
  #preparing: Promise<void> | undefined;
  #counting: Promise<void> | undefined;
  #draft: string;
  /** There is something to show. */
  isReady = false;
  #isCounted = false;
  #revision = 0;
  /** The one page that edits it. */
  #editor: Author | undefined;
  /** Who wrote last; survives that page's socket. */
  #lastAuthor: string | undefined;
  /** The newest revision that is not the last author's. */
  #foreignRevision = 0;

  constructor(options: HeldProposalOptions) {
    const { proposal } = options;
    this.#proposal = proposal;
    this.decide = options.decide;
    this.saveDraft = options.saveDraft;
    this.saveComments = options.saveComments;
    this.wireId = options.wireId;
    this.#labelOf = options.labelOf;
    this.#onChange = options.onChange;
    this.#draft = proposal.newContent;
    this.#path = { label: proposal.filePath, outsideRoots: false };
  }

  get proposal(): Proposal {
    return this.#proposal;
  }

  /** How it stands to its file. */
  get state(): DiffState {
    return this.#state;
  }

  /** The file that the change is compared with. */
  get original(): FileText {
    return this.proposal.base;
  }

  /** Labels and counts, once. Resolves when there is something to show, which may be before the figures are there. */
  prepare(): Promise<void> {
    this.#preparing ??= this.#prepare();
    return this.#preparing;
  }

  get draft(): string {
    return this.#draft;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Resolves when the summary's figures are those of the draft. */
  async counted(): Promise<ProposalSummary> {
    await this.prepare();
    await this.#counting;
    return this.summary;
  }

  get summary(): ProposalSummary {
    const { agent, filePath, newContent, openedAt, readOnlyReason } = this.proposal;
    return {
      id: this.wireId,
      agent,
      filePath,
      ...this.#path,
      openedAt,
      ...this.#changes,
      isNewFile: this.original.kind === "missing",
      edited: this.#draft !== newContent,
      state: this.#state,
      seen: this.#viewed !== undefined,
      ...(readOnlyReason !== undefined && { readOnlyReason }),
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

  /** The file is another one now. @returns whether the text was still the one that was merged with it */
  update(proposal: Proposal, { seen, text, state }: DiffUpdate): boolean {
    if (this.#draft !== seen) return false;
    this.#proposal = proposal;
    this.#state = state;
    this.#draft = text;
    this.#revision += 1;
    this.#foreignRevision = this.#revision;
    if (this.#isCounted) this.#counting = this.#recount();
    this.#onChange();
    return true;
  }

  get comments(): readonly Comment[] {
    return this.#comments;
  }

  /** A page has other comments on it now; any page may write them. */
  comment(comments: readonly Comment[]): void {
    this.#comments = comments;
    this.saveComments(comments);
  }

  get viewed(): readonly string[] {
    return this.#viewed ?? [];
  }

  /** A page has it in front, and its user has marked these hunks. */
  view(hunks: readonly string[]): void {
    const isFirst = this.#viewed === undefined;
    this.#viewed = hunks;
    if (isFirst) this.#onChange();
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

  async relabel(): Promise<void> {
    this.#path = await this.#labelOf(this.proposal.filePath);
    this.#onChange();
  }

  async #prepare(): Promise<void> {
    this.#path = await this.#labelOf(this.proposal.filePath);
    this.#counting = this.#recount();
    await Promise.race([this.#counting, wait(patience)]);
    this.isReady = true;
  }

  /** Counts until the figures are those of the draft; what is written meanwhile joins the count under way. */
  async #recount(): Promise<void> {
    this.#isCounted = false;
    const { original } = this;
    const { text: before } = toComparable(
      original.kind === "text" ? original.text : "",
      this.proposal.newContent,
    );
    for (let text: string | undefined; text !== this.#draft; ) {
      text = this.#draft;
      this.#changes = await countLineChanges(before, text);
    }
    this.#isCounted = true;
    this.#onChange();
  }
}
