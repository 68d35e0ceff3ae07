import type { ShownChange } from "../../core/editor.ts";
import type { PathLabel, PathLabels } from "../../files/workspace-path.ts";
import { KnownChanges } from "../known-changes.ts";
import type { Page } from "./page.ts";
import type { DraftNews, ProposalSummary } from "./protocol.ts";

/** The proposals that wait for a decision, oldest first, and the last ones that have ended. */
export class ProposalStore {
  readonly #labels: PathLabels;
  readonly #known = new KnownChanges<HeldProposal>();

  constructor(labels: PathLabels) {
    this.#labels = labels;
  }

  /** @throws Error when no diff can be shown; the message says why. */
  open(change: ShownChange): void {
    const { base, filePath } = change.proposal;
    if (base.kind === "folder") throw new Error(`${filePath} is a folder, not a file`);
    this.#known.add(change.id, new HeldProposal(change));
  }

  /** A proposal that waits. */
  find(id: string): HeldProposal | undefined {
    const held = this.findAny(id);
    return held?.change.isOver ? undefined : held;
  }

  /** A proposal that waits, or is one of the last that have ended: its change takes what a page had not sent. */
  findAny(id: string): HeldProposal | undefined {
    return this.#known.get(id);
  }

  /** Whether a path is that of a waiting proposal. */
  holds(filePath: string): boolean {
    return this.#known.waiting.some(({ change }) => change.proposal.filePath === filePath);
  }

  /** @param viewed by the ids of those that a page has had in front */
  async list(viewed: ReadonlyMap<string, unknown>): Promise<readonly ProposalSummary[]> {
    const labelled = this.#known.waiting.map(
      async (held) => [held, await this.#labels.of(held.change.proposal.filePath)] as const,
    );
    // Some may have ended meanwhile.
    const here = (await Promise.all(labelled)).filter(([{ change }]) => !change.isOver);
    return here.map(([held, path]) => held.list(path, viewed.has(held.change.id)));
  }
}

/** A change as the pages show it, and who has typed in it last. */
export class HeldProposal {
  readonly change: ShownChange;
  /** The pages know of it. */
  isListed = false;
  /** The page that has typed in it last, which may be gone. */
  lastAuthor: Author | undefined;
  /** The last text of each page that counted, by its name. */
  readonly #texts = new Map<string, DraftNews>();
  /** The newest revision that is not the last author's. */
  #foreignRevision = 0;

  constructor(change: ShownChange) {
    this.change = change;
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
    return true;
  }

  /** Its text is no page's now: the file has changed. */
  rebased(): void {
    this.#foreignRevision = this.change.revision;
  }
}

type Author = Pick<Page, "id" | "key">;

/** A name that a page keeps when it comes back with another socket. */
const nameOf = ({ id, key = id }: Author) => key;
