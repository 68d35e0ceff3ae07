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
import { countLineChanges, type LineCounts } from "../../files/line-diff.ts";
import type { PathLabel } from "../../files/workspace-path.ts";
import type { Page } from "./page.ts";
import type { ProposalSummary } from "./protocol.ts";

/** A page that edits a proposal. */
export type Author = Pick<Page, "id" | "key">;

export interface HeldProposalOptions {
  readonly proposal: Proposal;
  readonly decide: (decision: Decision) => DecisionResult;
  readonly saveDraft: (text: string) => void;
  readonly saveComments: (comments: readonly Comment[]) => void;
  readonly wireId: string;
  /** The summary is another one now. */
  readonly onChange: () => void;
}

/** One proposal under review: the file it was made for, and its text as the pages have edited it. */
export class HeldProposal {
  readonly wireId: string;
  readonly decide: (decision: Decision) => DecisionResult;
  /** The pages know of it. */
  isListed = false;
  readonly #options: HeldProposalOptions;
  #proposal: Proposal;
  #state: DiffState = "current";
  #comments: readonly Comment[] = [];
  /** Keys of the hunks that are marked as viewed; undefined until a page has had it in front. */
  #viewed: readonly string[] | undefined;
  #draft: string;
  #changes: (LineCounts & { readonly draft: string; readonly base: FileText }) | undefined;
  #revision = 0;
  /** The one page that edits it. */
  #editor: Author | undefined;
  /** Who wrote last; survives that page's socket. */
  #lastAuthor: string | undefined;
  /** The newest revision that is not the last author's. */
  #foreignRevision = 0;

  constructor(options: HeldProposalOptions) {
    this.#options = options;
    this.wireId = options.wireId;
    this.decide = options.decide;
    this.#proposal = options.proposal;
    this.#draft = options.proposal.newContent;
  }

  get proposal(): Proposal {
    return this.#proposal;
  }

  get draft(): string {
    return this.#draft;
  }

  get revision(): number {
    return this.#revision;
  }

  /** How much text it holds, in UTF-16 units. */
  get units(): number {
    const { newContent, base } = this.proposal;
    return this.#draft.length + newContent.length + (base.kind === "text" ? base.text.length : 0);
  }

  /** As the pages list it from now on. */
  list(path: PathLabel): ProposalSummary {
    this.isListed = true;
    const { agent, filePath, newContent, base, openedAt, readOnlyReason, opensOneDiff } = this.proposal;
    return {
      id: this.wireId,
      agent,
      filePath,
      ...path,
      openedAt,
      ...this.#count(),
      isNewFile: base.kind === "missing",
      edited: this.#draft !== newContent,
      state: this.#state,
      seen: this.#viewed !== undefined,
      ...(readOnlyReason !== undefined && { readOnlyReason }),
      ...(opensOneDiff && { opensOneDiff }),
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
    this.#editor = author;
    this.#options.saveDraft(text);
    this.#options.onChange();
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
    this.#options.onChange();
    return true;
  }

  get comments(): readonly Comment[] {
    return this.#comments;
  }

  /** A page has other comments on it now; any page may write them, also after the decision. */
  comment(comments: readonly Comment[]): void {
    this.#comments = comments;
    this.#options.saveComments(comments);
  }

  get viewed(): readonly string[] {
    return this.#viewed ?? [];
  }

  /** A page has it in front, and its user has marked these hunks. */
  view(hunks: readonly string[]): void {
    const isFirst = this.#viewed === undefined;
    this.#viewed = hunks;
    if (isFirst) this.#options.onChange();
  }

  /** From now on this page edits it. */
  handOver(page: Author): void {
    this.#editor = page;
    this.#options.onChange();
  }

  /** A page is closed. */
  release(page: Author): void {
    if (this.#editor?.id !== page.id) return;
    this.#editor = undefined;
    this.#options.onChange();
  }

  /** A page's text after the end. @returns whether it is kept: it is not known */
  keepLate(text: string): boolean {
    if (text === this.proposal.newContent || text === this.#draft) return false;
    this.#options.saveDraft(text);
    return true;
  }

  /** Once for each text that a list shows. */
  #count(): LineCounts {
    const { base, newContent } = this.proposal;
    const draft = this.#draft;
    if (this.#changes?.draft !== draft || this.#changes.base !== base) {
      const { text: before } = toComparable(base.kind === "text" ? base.text : "", newContent);
      this.#changes = { ...countLineChanges(before, draft), draft, base };
    }
    return { added: this.#changes.added, removed: this.#changes.removed };
  }
}
