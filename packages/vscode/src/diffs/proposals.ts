import { setTimeout as delay } from "node:timers/promises";
import type { CloseReason, Decision, DecisionResult, Proposal } from "ide-companion";
import * as vscode from "vscode";
import { OpenProposal } from "./open-proposal.ts";
import { findOriginal } from "./original.ts";
import { proposalIdOf } from "./proposal-uri.ts";
import type { ProposalViews } from "./proposal-views.ts";
import { silence } from "./quiet-languages.ts";

/** A window that ends first breaks off what it was about to show, and rejects it within this time; in milliseconds. */
const end = 2000;

/** How long what the user types is in memory alone; in milliseconds. */
const mostUnsaved = 300;

/** A tab that is moved is closed in one place and opened in another; in milliseconds. */
const move = 150;

export interface ProposalsOptions {
  readonly views: ProposalViews;
  /** The user has edited a proposal and closed its tab. */
  readonly onClosedWithEdits: (closed: OpenProposal) => void;
}

/** Every proposal that waits for a decision in this window. */
export class Proposals {
  readonly #options: ProposalsOptions;
  readonly #open = new Map<string, OpenProposal>();
  readonly #changed = new vscode.EventEmitter<void>();
  /** Of proposals that were edited a moment ago, by id. */
  readonly #unsaved = new Map<string, NodeJS.Timeout>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(options: ProposalsOptions) {
    this.#options = options;
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.onDidOpenTextDocument((document) => this.#attach(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#saveSoon(document.uri)),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#takeClosed(closed)),
    ];
  }

  /** Fires when one has come or gone. */
  get onChange(): vscode.Event<void> {
    return this.#changed.event;
  }

  /** Oldest first. */
  get all(): readonly OpenProposal[] {
    return [...this.#open.values()].sort((one, other) => one.proposal.openedAt - other.proposal.openedAt);
  }

  /** The one that a document of ours shows. */
  at(uri: vscode.Uri | undefined): OpenProposal | undefined {
    const id = uri && proposalIdOf(uri);
    return id === undefined ? undefined : this.#open.get(id);
  }

  /** @throws Error when no diff can be shown */
  async open(
    proposal: Proposal,
    decide: (decision: Decision) => DecisionResult,
    saveDraft: (text: string) => void,
  ): Promise<void> {
    const { filePath, id } = proposal;
    const original = await findOriginal(filePath, id);
    const opened = new OpenProposal({ proposal, original, decide, saveDraft });
    this.#open.set(id, opened);
    try {
      await this.#options.views.show(opened, this.all);
    } catch (error) {
      await delay(end);
      if (!this.#open.has(id)) return;
      this.#forget(opened);
      throw error;
    }
    this.#changed.fire();
  }

  /** Takes it away. @returns its text as it stood. */
  async close(id: string, reason: CloseReason): Promise<string> {
    const proposal = this.#expect(id);
    const { text } = proposal;
    this.#forget(proposal);
    // VS Code takes the tabs of a window that ends away by itself.
    if (reason !== "shutdown") await this.#options.views.takeAway(proposal);
    return text;
  }

  read(id: string): string {
    return this.#expect(id).text;
  }

  /** The user has decided. @returns whether that counts; if so the proposal is taken away. */
  async decide(proposal: OpenProposal, decision: Decision): Promise<DecisionResult> {
    const result = proposal.decide(decision);
    if (!result.taken) return result;
    this.#forget(proposal);
    await this.#options.views.takeAway(proposal);
    return result;
  }

  /**
   * The window ends: an agent that hears nothing waits for ever, and takes no answer in its terminal either.
   * @param onEdited takes those that the user has edited
   */
  rejectAll(onEdited: (open: OpenProposal) => void): void {
    for (const proposal of this.all) {
      if (proposal.isEdited) onEdited(proposal);
      proposal.decide({ kind: "rejected" });
      this.#forget(proposal);
    }
  }

  /** The user has marked a change of it as viewed, or no longer does. */
  setViewed(proposal: OpenProposal, key: string, isViewed: boolean): void {
    proposal.setViewed(key, isViewed);
    this.#changed.fire();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #attach(document: vscode.TextDocument): void {
    const proposal = this.at(document.uri);
    if (!proposal) return;
    proposal.attach(document);
    void silence(document);
  }

  #saveSoon(uri: vscode.Uri): void {
    const open = this.at(uri);
    if (!open || this.#unsaved.has(open.proposal.id)) return;
    const save = () => {
      this.#unsaved.delete(open.proposal.id);
      open.saveDraft(open.text);
    };
    this.#unsaved.set(open.proposal.id, setTimeout(save, mostUnsaved));
  }

  /** To close a proposal is to reject it. */
  #takeClosed(closed: readonly vscode.Tab[]): void {
    for (const proposal of this.all) {
      if (!this.#options.views.showed(proposal, closed)) continue;
      setTimeout(() => {
        const isThere = this.#open.get(proposal.proposal.id) === proposal;
        if (!isThere || this.#options.views.shows(proposal)) return;
        const { isEdited } = proposal;
        if (proposal.decide({ kind: "rejected" }).taken && isEdited)
          this.#options.onClosedWithEdits(proposal);
        this.#forget(proposal);
      }, move);
    }
  }

  #forget({ proposal }: OpenProposal): void {
    clearTimeout(this.#unsaved.get(proposal.id));
    this.#unsaved.delete(proposal.id);
    if (this.#open.delete(proposal.id)) this.#changed.fire();
  }

  #expect(id: string): OpenProposal {
    const proposal = this.#open.get(id);
    if (!proposal) throw new Error(`no diff ${id} is open`);
    return proposal;
  }
}
