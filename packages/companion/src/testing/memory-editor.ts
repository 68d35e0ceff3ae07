import type {
  CloseReason,
  Comment,
  Decision,
  DecisionResult,
  Diagnostic,
  DiffState,
  DiffUpdate,
  Editor,
  EditorContext,
  FileLocation,
  Proposal,
} from "../core/editor.ts";

interface OpenDiff {
  proposal: Proposal;
  readonly decide: (decision: Decision) => DecisionResult;
  readonly saveDraft: (text: string) => void;
  readonly saveComments: (comments: readonly Comment[]) => void;
  text: string;
  /** The user is in the middle of a word. */
  isTyping?: boolean;
}

/** What a user may write about the first line of a proposal. */
export const aComment: Comment = {
  id: "1",
  side: "proposed",
  startLine: 1,
  endLine: 1,
  quote: "new",
  text: "Why this?",
};

/** An editor without a screen, for tests of the core: it holds what a real one would show. */
export class MemoryEditor implements Editor {
  readonly info = { name: "memory", displayName: "Memory" };
  readonly pid = process.pid;
  readonly diffs = new Map<string, OpenDiff>();
  readonly closed: { filePath: string; reason: CloseReason }[] = [];
  /** How the files of its diffs have changed. */
  readonly updates: DiffState[] = [];
  /** How often it was asked for a text. */
  reads = 0;
  /** What it was asked to show. */
  readonly opened: FileLocation[] = [];
  /** What its language servers have found. */
  diagnostics: Diagnostic[] = [];
  /** When set, no diff and no file can be shown. */
  failure: Error | undefined;
  #listener: (context: EditorContext) => void = () => {};

  onContext(listener: (context: EditorContext) => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = () => {};
    };
  }

  look(context: EditorContext): void {
    this.#listener(context);
  }

  async openDiff(
    proposal: Proposal,
    decide: OpenDiff["decide"],
    saveDraft: OpenDiff["saveDraft"],
    saveComments: OpenDiff["saveComments"],
  ): Promise<void> {
    if (this.failure) throw this.failure;
    this.diffs.set(proposal.id, { proposal, decide, saveDraft, saveComments, text: proposal.newContent });
  }

  async closeDiff(id: string, reason: CloseReason): Promise<string> {
    const { text, proposal } = this.#expect(id);
    this.diffs.delete(id);
    this.closed.push({ filePath: proposal.filePath, reason });
    return text;
  }

  async readDiff(id: string): Promise<string> {
    this.reads += 1;
    return this.#expect(id).text;
  }

  async updateDiff(proposal: Proposal, { seen, text, state }: DiffUpdate): Promise<string> {
    const diff = this.#expect(proposal.id);
    if (this.failure) throw this.failure;
    if (diff.text === seen && !diff.isTyping) {
      Object.assign(diff, { proposal, text });
      this.updates.push(state);
    }
    return diff.text;
  }

  async openFile(place: FileLocation): Promise<void> {
    if (this.failure) throw this.failure;
    this.opened.push(place);
  }

  async getDiagnostics(path?: string): Promise<readonly Diagnostic[]> {
    return this.diagnostics.filter(({ filePath }) => path === undefined || filePath === path);
  }

  /** The user types. */
  edit(filePath: string, text: string): void {
    this.find(filePath).text = text;
  }

  /** The editor passes what the user has typed. */
  saveDraft(filePath: string): void {
    const { saveDraft, text } = this.find(filePath);
    saveDraft(text);
  }

  accept(filePath: string, comments?: readonly Comment[]): DecisionResult {
    const diff = this.find(filePath);
    return this.#decide(diff, { kind: "accepted", content: diff.text, ...(comments && { comments }) });
  }

  reject(filePath: string, comments?: readonly Comment[]): DecisionResult {
    return this.#decide(this.find(filePath), { kind: "rejected", ...(comments && { comments }) });
  }

  find(filePath: string): OpenDiff {
    const found = [...this.diffs.values()].find(({ proposal }) => proposal.filePath === filePath);
    if (!found) throw new Error(`no diff of ${filePath} is shown`);
    return found;
  }

  #decide(diff: OpenDiff, decision: Decision): DecisionResult {
    const result = diff.decide(decision);
    if (result.taken) this.diffs.delete(diff.proposal.id);
    return result;
  }

  #expect(id: string): OpenDiff {
    const diff = this.diffs.get(id);
    if (!diff) throw new Error(`no diff ${id} is shown`);
    return diff;
  }
}
