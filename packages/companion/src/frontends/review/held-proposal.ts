import type { ShownChange } from "../../core/editor.ts";
import type { PathLabel } from "../../files/workspace-path.ts";
import type { Page } from "./page.ts";
import type { ProposalSummary } from "./protocol.ts";

/** A page that edits a proposal. */
export type Author = Pick<Page, "id" | "key">;

/** A change as the pages show it, and which of them edits it. */
export class HeldProposal {
  readonly change: ShownChange;
  /** The pages know of it. */
  isListed = false;
  readonly #onChange: () => void;
  /** The one page that edits it. */
  #editor: Author | undefined;
  /** Who wrote last; survives that page's socket. */
  #lastAuthor: string | undefined;
  /** The newest revision that is not the last author's. */
  #foreignRevision = 0;

  /** @param onChange called when the summary is another one */
  constructor(change: ShownChange, onChange: () => void) {
    this.change = change;
    this.#onChange = onChange;
  }

  /** As the pages list it from now on. */
  list(path: PathLabel, seen: boolean): ProposalSummary {
    this.isListed = true;
    const { added, removed, state, text, proposal } = this.change;
    const { agent, filePath, newContent, base, openedAt, readOnlyReason, opensOneDiff } = proposal;
    return {
      id: this.change.id,
      agent,
      filePath,
      ...path,
      openedAt,
      added,
      removed,
      isNewFile: base.kind === "missing",
      edited: text !== newContent,
      state,
      seen,
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
    const foreignRevision = name === this.#lastAuthor ? this.#foreignRevision : this.change.revision;
    const isElsewhere = this.#editor !== undefined && this.#editor.id !== author.id;
    if (isElsewhere || seenRevision < foreignRevision) return false;
    this.#foreignRevision = foreignRevision;
    this.#lastAuthor = name;
    this.#editor = author;
    this.change.write(text);
    this.#onChange();
    return true;
  }

  /** Its text is no page's now: the file has changed. */
  rebased(): void {
    this.#foreignRevision = this.change.revision;
    this.#onChange();
  }

  /** From now on this page edits it. */
  handOver(page: Author): void {
    this.#editor = page;
    this.#onChange();
  }

  /** A page is closed. */
  release(page: Author): void {
    if (this.#editor?.id !== page.id) return;
    this.#editor = undefined;
    this.#onChange();
  }
}
