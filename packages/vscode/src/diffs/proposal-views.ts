import { basename } from "node:path";
import * as vscode from "vscode";
import type { OpenProposal } from "./open-proposal.ts";
import type { ProposalDocuments } from "./proposal-documents.ts";
import { activeProposedSide, closeTabs, proposedSideOf, tabsOf } from "./proposal-tabs.ts";
import type { Typing } from "./typing.ts";

/** When a proposal may come to the front: as the setting `ideCompanion.showProposals` has it. */
export type Reveal = "unlessTyping" | "always" | "never";

export interface ProposalViewsOptions {
  readonly typing: Typing;
  readonly reveal: () => Reveal;
  readonly documents: ProposalDocuments;
  /** Takes what is odd, but no reason to give up. */
  readonly log: (message: string) => void;
}

/** Beside what VS Code documents, its command for diffs takes this: the tab comes behind the one that is looked at. */
interface DiffOptions extends vscode.TextDocumentShowOptions {
  readonly background: boolean;
}

/** The diff editors in which proposals are shown. */
export class ProposalViews {
  readonly #options: ProposalViewsOptions;
  readonly #subscription: vscode.Disposable;

  constructor(options: ProposalViewsOptions) {
    this.#options = options;
    this.#subscription = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(() => void this.#makeWriteable()),
      vscode.window.onDidChangeActiveTextEditor(() => void this.#makeWriteable()),
    );
  }

  /** Shows a proposal; the keyboard focus stays where it is. */
  async show(proposal: OpenProposal, all: readonly OpenProposal[]): Promise<void> {
    await this.#open(proposal, {
      preserveFocus: true,
      preview: false,
      background: this.#mustStayBehind(all),
    });
    await this.#makeWriteable();
  }

  /** Goes to a proposal: the user has asked for it. */
  async goTo(proposal: OpenProposal): Promise<void> {
    await this.#open(proposal, { preserveFocus: false, preview: false, background: false });
    await this.#makeWriteable();
  }

  shows(proposal: OpenProposal): boolean {
    return tabsOf(proposal.uri).length > 0;
  }

  /** Whether one of these tabs showed it. */
  showed(proposal: OpenProposal, tabs: readonly vscode.Tab[]): boolean {
    return tabs.some((tab) => proposedSideOf(tab)?.toString() === proposal.uri.toString());
  }

  async takeAway(proposal: OpenProposal): Promise<void> {
    // Where it is a file, a question about saving would come, and its tab stay.
    await proposal.settle();
    await closeTabs(tabsOf(proposal.uri));
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #open({ uri, original, proposal }: OpenProposal, options: DiffOptions): Promise<void> {
    await this.#options.documents.prepare();
    const title = `${basename(proposal.filePath)} (${proposal.agent})`;
    await vscode.commands.executeCommand("vscode.diff", original.uri, uri, title, options);
  }

  #mustStayBehind(all: readonly OpenProposal[]): boolean {
    const { typing, reveal } = this.#options;
    if (reveal() !== "unlessTyping") return reveal() === "never";
    const looksAt = activeProposedSide()?.toString();
    return typing.isUnderWay || all.some(({ uri }) => uri.toString() === looksAt);
  }

  async #makeWriteable(): Promise<void> {
    const uri = activeProposedSide()?.toString();
    // Before the editor is there, it would not hear of it.
    if (!vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri)) return;
    try {
      await this.#options.documents.makeWriteable();
    } catch (error) {
      this.#options.log(`proposals stay read-only in this editor: ${error}`);
    }
  }
}
