import { pathKey } from "../../files/file-path.ts";
import { fileStampOf } from "../../files/file-stamp.ts";
import type { Change } from "../changes/change.ts";
import type { FileResult, OnCompanionEvent } from "../events.ts";
import type { ReasonCode } from "../sentences.ts";
import type { EditsStore } from "./edits-store.ts";
import { FileCheck, holdsText } from "./file-check.ts";

export interface TypedTextsOptions {
  readonly edits: EditsStore;
  readonly onEvent: OnCompanionEvent;
}

type Ended = Pick<Change, "proposal" | "owner" | "draft">;

/** Sees to it that what users typed comes to their files, or back to them. */
export class TypedTexts {
  readonly #options: TypedTextsOptions;
  readonly #checks = new Map<FileCheck, Ended>();
  #isOver = false;

  constructor(options: TypedTextsOptions) {
    this.#options = options;
  }

  /** Resolves once every result is known. */
  get known(): Promise<unknown> {
    return Promise.all([...this.#checks.keys()].map(({ known }) => known));
  }

  /**
   * The agent may write this text now: whether it does, its file says within two seconds. The user's own version of a
   * read-only proposal is another text, and is offered when that is known.
   */
  follow(ended: Ended, text: string, { isAccepted }: { readonly isAccepted: boolean }): void {
    const { filePath } = ended.proposal;
    const check = new FileCheck({
      filePath,
      text,
      stamp: fileStampOf(filePath),
      onResult: (result) => this.#take(ended, text, result, isAccepted),
      onEnd: () => this.#checks.delete(check),
    });
    this.#checks.set(check, ended);
    if (this.#isOver) this.end();
  }

  /** The agent of a change that the user has accepted may be writing this file now. */
  writerOf(filePath: string): string | undefined {
    const key = pathKey(filePath);
    for (const [check, { proposal }] of this.#checks)
      if (!check.isKnown && pathKey(proposal.filePath) === key) return proposal.agent;
    return undefined;
  }

  /** The user has typed after the end. */
  keepLate(change: Change, text: string): void {
    const { proposal, owner } = change;
    change.late ??= this.#options.edits.draftOf(proposal);
    this.recover({ proposal, owner, draft: change.late }, text, "late");
  }

  /** The text is the user's again, unless the file holds it or nothing was typed. */
  recover({ draft, proposal }: Ended, text: string, reason: ReasonCode): void {
    const isThere = text !== proposal.newContent && holdsText(proposal.filePath, text);
    if (isThere) draft.drop();
    const edits = isThere ? undefined : draft.recover(text, reason);
    if (edits) this.#options.onEvent({ kind: "edits-recovered", proposal, edits });
  }

  /** The agent has done with a file what it will do. */
  conclude(ownerId: string, filePath: string): void {
    const key = pathKey(filePath);
    for (const [check, { owner, proposal }] of [...this.#checks]) {
      if (owner.id === ownerId && pathKey(proposal.filePath) === key) this.#finish(check);
    }
  }

  /** Nothing is followed any more. */
  end(): void {
    this.#isOver = true;
    for (const check of [...this.#checks.keys()]) this.#finish(check);
  }

  #finish(check: FileCheck): void {
    check.conclude();
    check.stop();
    this.#checks.delete(check);
  }

  #take(ended: Ended, text: string, result: FileResult, isAccepted: boolean): void {
    const { draft, proposal } = ended;
    const isOwnVersion = draft.text !== text;
    if (result === "written" && !isOwnVersion) draft.drop();
    const wasEdited = text !== proposal.newContent;
    if (isAccepted) this.#options.onEvent({ kind: "file-checked", proposal, result, wasEdited });
    if (isOwnVersion) this.#offer(ended, result);
    else if (result !== "written") this.recover(ended, text, isAccepted ? result : "agent");
  }

  /** Once: what the user has discarded meanwhile does not come back when a slow agent writes. */
  #offer(ended: Ended, result: FileResult): void {
    const { draft } = ended;
    if (!draft.isRecovered) this.recover(ended, draft.text, result === "written" ? "own-version" : result);
  }
}
