import type { Decision, DecisionResult, Proposal } from "ide-companion";
import { countLines, findHunks, type Hunk, readFileText } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { exactText } from "./exact-text.ts";
import { proposalUri, standInUri } from "./proposal-documents.ts";

/** The left side of a proposal's diff. */
export interface Original {
  /** The file, or an empty document when VS Code cannot show the file as text. */
  readonly uri: vscode.Uri;
  /** The text on disk; empty when the file has no text. */
  readonly text: string;
  readonly isNewFile: boolean;
  /** Why the file cannot be compared, for the user. */
  readonly note?: string;
}

/** A change of a proposal, and whether the user has marked it as viewed. */
export interface MarkedHunk {
  readonly hunk: Hunk;
  readonly key: string;
  readonly isViewed: boolean;
}

export interface OpenProposalParts {
  readonly proposal: Proposal;
  readonly original: Original;
  readonly decide: (decision: Decision) => DecisionResult;
  readonly saveDraft: (text: string) => void;
}

/** A proposal that waits for a decision: its file, and its text with the user's edits. */
export class OpenProposal {
  readonly proposal: Proposal;
  readonly original: Original;
  readonly decide: (decision: Decision) => DecisionResult;
  /** Saves the user's text, so that it survives a crash. */
  readonly saveDraft: (text: string) => void;
  readonly uri: vscode.Uri;
  /** Keys of the changes that the user has marked as viewed. */
  readonly viewed = new Set<string>();
  /** The user edits it although its agent takes no edits. */
  ownVersion = false;
  #document: { readonly shown: vscode.TextDocument; readonly opened: string } | undefined;
  #hunks: { readonly version: string; readonly hunks: readonly MarkedHunk[] } | undefined;

  constructor({ proposal, original, decide, saveDraft }: OpenProposalParts) {
    this.proposal = proposal;
    this.original = original;
    this.decide = decide;
    this.saveDraft = saveDraft;
    this.uri = proposalUri(proposal.filePath, proposal.id);
  }

  /** To be called with each document that VS Code creates: a new one when the tab was hidden or closed before. */
  attach(document: vscode.TextDocument): void {
    const opened = this.#document?.opened ?? document.getText();
    this.#document = { shown: document, opened };
  }

  /** The current text, with the byte order mark and line ends that the agent sent. */
  get text(): string {
    const { newContent: proposed } = this.proposal;
    if (!this.#document) return proposed;
    const { shown, opened } = this.#document;
    return exactText({ proposed, opened, current: shown.getText() });
  }

  /** Its agent takes no edits, and the user has not asked to edit their own version. */
  get isReadOnly(): boolean {
    return this.proposal.readOnlyReason !== undefined && !this.ownVersion;
  }

  get isEdited(): boolean {
    return this.#document !== undefined && this.#document.shown.getText() !== this.#document.opened;
  }

  /** Saves the document, so that its tab closes without a question. */
  async settle(): Promise<void> {
    if (this.#document?.shown.isDirty) await this.#document.shown.save();
  }

  /** The open document of the file; undefined when VS Code has none. */
  get originalDocument(): vscode.TextDocument | undefined {
    const wanted = this.original.uri.toString();
    return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === wanted);
  }

  /** The file has unsaved edits in VS Code. */
  get isOriginalDirty(): boolean {
    return this.originalDocument?.isDirty ?? false;
  }

  /** The changes against the left side, by lines. Line ends are ignored. */
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

  setViewed(key: string, isViewed: boolean): void {
    if (isViewed) this.viewed.add(key);
    else this.viewed.delete(key);
    this.#hunks = undefined;
  }
}

/** @throws Error when the path is a folder: VS Code cannot show a diff of it */
export async function findOriginal(filePath: string, id: string): Promise<Original> {
  const file = await readFileText(filePath);
  const standIn = { uri: standInUri(filePath, id), text: "", isNewFile: false };
  switch (file.kind) {
    case "text":
      return { uri: vscode.Uri.file(filePath), text: file.text, isNewFile: false };
    case "missing":
      return { ...standIn, isNewFile: true };
    case "folder":
      throw new Error(vscode.l10n.t("{0} is a folder, not a file", filePath));
    case "binary":
      return { ...standIn, note: vscode.l10n.t("the file on disk is not a text") };
    case "too-large":
      return { ...standIn, note: vscode.l10n.t("the file on disk is too large to be compared") };
    case "unreadable":
      return { ...standIn, note: vscode.l10n.t("the file on disk cannot be read") };
  }
}

/** The path of its file, relative to the open folder. */
export const nameOf = ({ proposal }: OpenProposal): string =>
  vscode.workspace.asRelativePath(proposal.filePath);

/** Lines added and removed: `+3 −1`. */
export const sizeOf = ({ hunks }: OpenProposal): string => countLines(hunks.map(({ hunk }) => hunk));

/** In one line: `src/shop.ts: +3 −1, Some CLI`. */
export const describeProposal = (open: OpenProposal): string =>
  `${nameOf(open)}: ${sizeOf(open)}, ${open.proposal.agent}`;

/** @param viewed keys of the changes that the user has marked as viewed */
function markHunks(hunks: readonly Hunk[], viewed: ReadonlySet<string>): readonly MarkedHunk[] {
  const earlier: Hunk[] = [];
  return hunks.map((hunk) => {
    const key = hunkKey(hunk, earlier);
    earlier.push(hunk);
    return { hunk, key, isViewed: viewed.has(key) };
  });
}

/** Identifies a change by its lines and by equal ones before it: it is the same until the change itself is edited. */
function hunkKey({ added, removed }: Hunk, earlier: readonly Hunk[]): string {
  const text = JSON.stringify([added, removed]);
  const same = earlier.filter((hunk) => JSON.stringify([hunk.added, hunk.removed]) === text).length;
  return `${same}${text}`;
}

const withLineFeeds = (text: string): string => text.replaceAll(/\r\n?/g, "\n");
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "");
