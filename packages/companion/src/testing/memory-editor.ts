import type {
  Comment,
  Decision,
  DecisionResult,
  Diagnostic,
  DiffState,
  Editor,
  EditorContext,
  FileLocation,
  HideReason,
  Proposal,
  Rebase,
  ShownChange,
} from "../core/editor.ts";

/** A change as the editor shows it. */
class OpenDiff {
  readonly change: ShownChange;
  /** As its user has typed it: the change has it when the editor writes it. */
  text: string;
  /** The user is in the middle of a word. */
  isTyping = false;

  constructor(change: ShownChange) {
    this.change = change;
    this.text = change.text;
  }

  get proposal(): Proposal {
    return this.change.proposal;
  }

  readonly saveDraft = (text = this.text): void => {
    this.text = text;
    this.change.write(text);
  };

  readonly decide = (decision: Decision): DecisionResult => {
    if (decision.kind === "accepted") this.saveDraft();
    return this.change.decide(decision);
  };
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
  readonly closed: { filePath: string; reason: HideReason }[] = [];
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

  async show(change: ShownChange): Promise<void> {
    if (this.failure) throw this.failure;
    this.diffs.set(change.id, new OpenDiff(change));
  }

  async hide(change: ShownChange, reason: HideReason): Promise<void> {
    this.#expect(change).saveDraft();
    this.diffs.delete(change.id);
    this.closed.push({ filePath: change.proposal.filePath, reason });
  }

  async flush(change: ShownChange): Promise<void> {
    this.reads += 1;
    this.#expect(change).saveDraft();
  }

  async update(change: ShownChange, { seen, text, state }: Rebase): Promise<void> {
    const diff = this.#expect(change);
    if (this.failure) throw this.failure;
    if (diff.text !== seen || diff.isTyping) return;
    this.updates.push(state);
    diff.saveDraft(text);
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
    this.find(filePath).saveDraft();
  }

  accept(filePath: string, comments?: readonly Comment[]): DecisionResult {
    return this.#decide(this.find(filePath), { kind: "accepted", ...(comments && { comments }) });
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
    if (result.taken) this.diffs.delete(diff.change.id);
    return result;
  }

  #expect({ id }: ShownChange): OpenDiff {
    const diff = this.diffs.get(id);
    if (!diff) throw new Error(`no diff ${id} is shown`);
    return diff;
  }
}
