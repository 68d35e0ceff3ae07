import type { Proposal, ShownChange } from "ide-companion";
import { findHunks, type Hunk, keepLineEnds, revert } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { l10n, workspace } from "vscode";
import { hasUnsavedEdits } from "../workspace.ts";
import { ownVersionUri, proposalUri, standInUri } from "./proposal-documents.ts";

/** A change of a proposal, and whether the user has marked it as viewed. */
export interface MarkedHunk {
  readonly hunk: Hunk;
  readonly key: string;
  readonly isViewed: boolean;
}

/** A change that waits for a decision, with the documents that show it. */
export class OpenProposal {
  readonly change: ShownChange;
  original: ReturnType<typeof findOriginal>;
  /** Its tab says in which folder the file is: another one of that name waits. */
  needsFolder = false;
  /** Of the proposed side. */
  uri: vscode.Uri;
  /** Keys of the changes that the user has marked as viewed. */
  readonly viewed = new Set<string>();
  /** The user has had it in front. */
  isSeen = false;
  /** The user edits it although its agent takes no edits. */
  ownVersion = false;
  /** When it has come up, by `performance.now()`. */
  shownAt = performance.now();
  /** The document of the proposed side, while it is open. */
  #document: vscode.TextDocument | undefined;
  /** How VS Code shows what the agent proposes. */
  #opened = "";
  #hunks: { readonly version: string; readonly hunks: readonly MarkedHunk[] } | undefined;

  /** @throws Error when the path is a folder */
  constructor(change: ShownChange) {
    const { proposal } = change;
    this.change = change;
    this.original = findOriginal(proposal);
    this.uri = proposalUri(proposal.filePath, proposal.id);
  }

  get proposal(): Proposal {
    return this.change.proposal;
  }

  get id(): string {
    return this.change.id;
  }

  get agent(): string {
    return this.proposal.agent;
  }

  get filePath(): string {
    return this.proposal.filePath;
  }

  /** To be called with each document that VS Code creates: a new one when the tab was hidden or closed before. */
  attach(document: vscode.TextDocument): void {
    const { newContent } = this.proposal;
    this.#document = document;
    this.#opened = this.change.text === newContent ? document.getText() : asShown(newContent, document);
  }

  /** To be called when VS Code closes a document: from then on the change alone has the text. */
  detach(document: vscode.TextDocument): void {
    if (document !== this.#document) return;
    this.flush();
    this.#document = undefined;
  }

  /** Its file has changed, and its document holds the text that comes of that. */
  rebased(): void {
    const { proposal } = this.change;
    this.original = findOriginal(proposal);
    this.#hunks = undefined;
    if (this.#document) this.#opened = asShown(proposal.newContent, this.#document);
  }

  /** Writes the text as it stands here into the change. */
  flush(): void {
    this.change.write(this.text);
  }

  /** Replaces the lines of its document that differ. @returns whether it holds the text then */
  async replace(text: string): Promise<boolean> {
    const shown = this.#document;
    if (!shown) return true;
    const hunks = findHunks(asShown(text, shown), shown.getText());
    return applyEdits(this.uri, hunks.map(revert));
  }

  /** The current text, with the byte order mark and line ends that the agent sent. */
  get text(): string {
    const { newContent: proposed } = this.proposal;
    if (!this.#document) return this.change.text;
    return exactText(proposed, [this.#opened, this.#document.getText()]);
  }

  /** From now on another document shows it: the present one cannot be made writeable. */
  moveToOwnDocument(): void {
    this.uri = ownVersionUri(this.uri);
  }

  /** Its agent takes no edits, and the user has not asked to edit their own version. */
  get isReadOnly(): boolean {
    return this.proposal.readOnlyReason !== undefined && !this.ownVersion;
  }

  get isEdited(): boolean {
    return this.#document
      ? this.#document.getText() !== this.#opened
      : this.change.text !== this.proposal.newContent;
  }

  /** Saves the document, so that its tab closes without a question. */
  async settle(): Promise<void> {
    if (this.#document?.isDirty) await this.#document.save();
  }

  /** The open document of the file; undefined when VS Code has none. */
  get originalDocument(): vscode.TextDocument | undefined {
    const wanted = this.original.uri.toString();
    return workspace.textDocuments.find(({ uri }) => uri.toString() === wanted);
  }

  /** The file has unsaved edits in VS Code. */
  get isOriginalDirty(): boolean {
    return hasUnsavedEdits(this.proposal.filePath);
  }

  /** The changes against the left side, by lines. Line ends are ignored. */
  get hunks(): readonly MarkedHunk[] {
    const left = this.originalDocument;
    const version = `${left?.version ?? "disk"} ${this.#document?.version ?? "proposed"}`;
    if (this.#hunks?.version !== version) {
      const before = left?.getText() ?? withoutMark(this.original.text);
      const after = this.#document?.getText() ?? withoutMark(this.change.text);
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

/** The left side of a proposal's diff. @throws Error when the path is a folder: VS Code cannot show a diff of it */
function findOriginal({ filePath, id, base }: Proposal) {
  if (base.kind === "folder") throw new Error(l10n.t("{0} is a folder, not a file", filePath));
  const text = base.kind === "text" ? base.text : "";
  const isShown = base.kind === "text" && isShownByVscode(text);
  /** The file, or a document of ours when VS Code cannot show the file as text. */
  const uri = isShown ? vscode.Uri.file(filePath) : standInUri(filePath, id);
  return { uri, text, isNewFile: base.kind === "missing" };
}

/** VS Code takes a file with a NUL in its first 512 bytes for binary: it shows a notice, and the tab stays open. */
export const isShownByVscode = (text: string): boolean => !text.slice(0, 512).includes("\0");

/** A range as LSP has it. */
export const toRange = ({ start, end }: ReturnType<typeof revert>["range"]): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character);

/** Applies edits as LSP has them. @returns whether the document has them then */
export async function applyEdits(
  uri: vscode.Uri,
  edits: readonly ReturnType<typeof revert>[],
): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  for (const { range, newText } of edits) edit.replace(uri, toRange(range), newText);
  return edits.length === 0 || (await workspace.applyEdit(edit));
}

/**
 * The text that the agent receives: the lines that the user sees, with the byte order mark and the line ends that the
 * agent sent. VS Code removes the mark and gives all lines the same end.
 * @param proposed what the agent sent
 * @param texts of the document when VS Code opened it, and now
 */
export function exactText(proposed: string, [opened, current]: readonly [string, string]): string {
  if (current === opened) return proposed;
  const text = keepLineEnds(withoutMark(proposed), current, /\r\n|\r|\n/);
  return proposed.startsWith(mark) && !text.startsWith(mark) ? mark + text : text;
}

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

/** As VS Code has it in a document: without a byte order mark, and with one kind of line ends. */
const asShown = (text: string, { eol }: Pick<vscode.TextDocument, "eol">): string =>
  withLineFeeds(withoutMark(text)).replaceAll("\n", eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n");

const mark = "\uFEFF";
