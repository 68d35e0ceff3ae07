import type { Decision, DecisionResult, Proposal } from "ide-companion";
import { findHunks } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { exactText } from "./exact-text.ts";
import { type MarkedHunk, markHunks } from "./marked-hunks.ts";
import type { Original } from "./original.ts";
import { proposalUri } from "./proposal-uri.ts";

export interface OpenProposalParts {
  readonly proposal: Proposal;
  readonly original: Original;
  readonly decide: (decision: Decision) => DecisionResult;
  readonly saveDraft: (text: string) => void;
}

/** One proposal that the user can reach: the file that it is for, and its text as the user has edited it. */
export class OpenProposal {
  readonly proposal: Proposal;
  readonly original: Original;
  readonly decide: (decision: Decision) => DecisionResult;
  /** Takes the user's text: it then outlasts a crash. */
  readonly saveDraft: (text: string) => void;
  readonly uri: vscode.Uri;
  /** Keys of the changes that the user has marked as viewed. */
  readonly viewed = new Set<string>();
  #document: { readonly shown: vscode.TextDocument; readonly opened: string } | undefined;
  #hunks: { readonly version: string; readonly hunks: readonly MarkedHunk[] } | undefined;

  constructor({ proposal, original, decide, saveDraft }: OpenProposalParts) {
    this.proposal = proposal;
    this.original = original;
    this.decide = decide;
    this.saveDraft = saveDraft;
    this.uri = proposalUri(proposal.filePath, proposal.id);
  }

  /** VS Code has made a document of it; it makes a new one when the tab was hidden or closed in between. */
  attach(document: vscode.TextDocument): void {
    const opened = this.#document?.opened ?? document.getText();
    this.#document = { shown: document, opened };
  }

  /** As it stands, in the bytes that the agent sent. */
  get text(): string {
    const { newContent: proposed } = this.proposal;
    if (!this.#document) return proposed;
    const { shown, opened } = this.#document;
    return exactText({ proposed, opened, current: shown.getText() });
  }

  get isEdited(): boolean {
    return this.#document !== undefined && this.#document.shown.getText() !== this.#document.opened;
  }

  /** Its text is handed back: nothing is unsaved any more. */
  async settle(): Promise<void> {
    if (this.#document?.shown.isDirty) await this.#document.shown.save();
  }

  /** The document of the file itself, when VS Code has one. */
  get originalDocument(): vscode.TextDocument | undefined {
    const wanted = this.original.uri.toString();
    return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === wanted);
  }

  /** The user has edits of the file itself that are not on disk. */
  get isOriginalDirty(): boolean {
    return this.originalDocument?.isDirty ?? false;
  }

  /** Against what stands on the left, counted in lines; line ends do not count. */
  get hunks(): readonly MarkedHunk[] {
    const left = this.originalDocument;
    const version = `${left?.version ?? "disk"} ${this.#document?.shown.version ?? "proposed"}`;
    if (this.#hunks?.version !== version) {
      const before = left?.getText() ?? withoutMark(this.original.text);
      const after = this.#document?.shown.getText() ?? withoutMark(this.proposal.newContent);
      this.#hunks = {
        version,
        hunks: markHunks(findHunks(withLineFeeds(before), withLineFeeds(after)), this.viewed),
      };
    }
    return this.#hunks.hunks;
  }

  /** The user has marked a change as viewed, or no longer does. */
  setViewed(key: string, isViewed: boolean): void {
    if (isViewed) this.viewed.add(key);
    else this.viewed.delete(key);
    this.#hunks = undefined;
  }
}

const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?/g, "\n");
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "");
