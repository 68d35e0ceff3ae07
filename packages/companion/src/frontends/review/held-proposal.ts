import type { ShownChange } from "../../core/editor.ts";
import type { PathLabel } from "../../files/workspace-path.ts";
import type { Page } from "./page.ts";
import type { DraftNews, ProposalSummary } from "./protocol.ts";

type Author = Pick<Page, "id" | "key">;

/** The same for a page that comes back with another socket. */
const nameOf = ({ id, key = id }: Author) => key;

/** A change as the pages show it, and who has typed in it last. */
export class HeldProposal {
  readonly change: ShownChange;
  /** The pages know of it. */
  isListed = false;
  readonly #onChange: () => void;
  /** The page that has typed in it last, which may be gone. */
  lastAuthor: Author | undefined;
  /** The last text of each page that counted, by its name. */
  readonly #texts = new Map<string, DraftNews>();
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
    };
  }

  /** The last text of a page that counted; the page may not have heard that it did. */
  textOf(page: Author): DraftNews | undefined {
    return this.#texts.get(nameOf(page));
  }

  /** @returns whether the text counts; it does not when the page has not seen the one that it replaces */
  write(text: string, author: Author, seenRevision: number): boolean {
    const name = nameOf(author);
    const isSame = this.lastAuthor !== undefined && nameOf(this.lastAuthor) === name;
    const foreignRevision = isSame ? this.#foreignRevision : this.change.revision;
    if (seenRevision < foreignRevision) return false;
    this.#foreignRevision = foreignRevision;
    this.lastAuthor = author;
    this.change.write(text);
    this.#texts.set(name, { revision: this.change.revision, content: text });
    this.#onChange();
    return true;
  }

  /** Its text is no page's now: the file has changed. */
  rebased(): void {
    this.#foreignRevision = this.change.revision;
    this.#onChange();
  }
}
