import * as vscode from "vscode";
import { commands, window, workspace } from "vscode";
import type { Reveal } from "../workspace.ts";
import type { OpenProposal } from "./open-proposal.ts";
import { type ProposalDocuments, scheme } from "./proposal-documents.ts";
import { titleOf } from "./proposal-facts.ts";

export interface ProposalViewsOptions {
  readonly typing: Typing;
  readonly reveal: () => Reveal;
  readonly documents: ProposalDocuments;
  /** Whether the user may not edit the proposal whose proposed side this is. */
  readonly isReadOnly: (uri: vscode.Uri) => boolean;
  /** Receives problems that do not prevent the review. */
  readonly log: (message: string) => void;
}

interface DiffOptions extends Pick<vscode.TextDocumentShowOptions, "preserveFocus" | "viewColumn"> {
  /** Undocumented in VS Code: the tab opens behind the active one. */
  readonly background?: boolean;
}

/** The diff editors that show proposals. */
export class ProposalViews {
  readonly #options: ProposalViewsOptions;
  readonly #subscription: vscode.Disposable;
  #showing: Promise<void> = Promise.resolve();

  constructor(options: ProposalViewsOptions) {
    this.#options = options;
    this.#subscription = vscode.Disposable.from(
      window.onDidChangeVisibleTextEditors(() => void this.#makeWriteable()),
      window.onDidChangeActiveTextEditor(() => void this.#makeWriteable()),
    );
  }

  /** Shows a proposal without moving the keyboard focus. Of several at once, the first one is in front. */
  show(proposal: OpenProposal, all: readonly OpenProposal[]): Promise<void> {
    const shown = this.#showing.then(() =>
      this.#open(proposal, { preserveFocus: true, ...this.#placeOf(all) }),
    );
    this.#showing = shown.catch(() => {}); // its agent hears of it
    return shown;
  }

  /** Shows a proposal in front and moves the focus there. */
  async goTo(proposal: OpenProposal): Promise<void> {
    await this.#open(proposal, { preserveFocus: false });
  }

  /** Lets the user type in a proposal that is not read-only any more. */
  async makeEditable(proposal: OpenProposal): Promise<void> {
    const { uri } = proposal;
    const isStuck = await this.#options.documents.areFiles();
    if (isStuck) proposal.moveToOwnDocument();
    await this.goTo(proposal);
    if (isStuck) await closeTabs(tabsOf(uri));
  }

  /** Whether code lenses are to be seen in a diff. */
  async showsLenses(): Promise<boolean> {
    return !(await this.#options.documents.areFiles());
  }

  isTypedIn({ uri }: OpenProposal): boolean {
    return this.#options.typing.isUnderWay && activeProposedSide()?.toString() === uri.toString();
  }

  /** Its file has changed. @param before the left side until now */
  async follow(open: OpenProposal, before: vscode.Uri): Promise<void> {
    const { original, uri } = open;
    if (original.uri.toString() === before.toString()) return this.#options.documents.refresh(before);
    const tabs = tabsOf(uri);
    for (const { group, isActive } of tabs) {
      const { viewColumn } = group;
      await openDiff(original.uri, uri, titleOf(open), {
        preserveFocus: true,
        background: !isActive,
        viewColumn,
      });
    }
    await closeTabs(tabs);
    await this.#makeWriteable();
  }

  /** @param options `preserveFocus` false where the editor that comes up takes the focus of this one; `next` comes up where this one is in front */
  async close(
    proposal: OpenProposal,
    { preserveFocus = true, next }: { preserveFocus?: boolean; next?: OpenProposal | undefined } = {},
  ): Promise<void> {
    // In Theia the document may be dirty: closing its tab would ask whether to save it.
    await proposal.settle();
    if (next && activeProposedSide()?.toString() === proposal.uri.toString())
      await this.#open(next, { preserveFocus });
    await closeTabs(tabsOf(proposal.uri), preserveFocus);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  async #open(proposal: OpenProposal, options: DiffOptions): Promise<void> {
    const { uri, original } = proposal;
    await this.#options.documents.areFiles();
    const [tab] = tabsOf(uri);
    await openDiff(original.uri, uri, titleOf(proposal), {
      ...options,
      ...(tab && { viewColumn: tab.group.viewColumn }),
    });
    await this.#makeWriteable();
  }

  /** Where one opens that the user has not asked for: not over the terminal of an agent, but next to it. */
  #placeOf(all: readonly OpenProposal[]): DiffOptions {
    const { typing, reveal } = this.#options;
    const { activeTabGroup, all: groups } = window.tabGroups;
    const isFree = ({ activeTab }: vscode.TabGroup) => !(activeTab?.input instanceof vscode.TabInputTerminal);
    const group = isFree(activeTabGroup) ? activeTabGroup : (groups.find(isFree) ?? activeTabGroup);
    const shown = proposedSideOf(group.activeTab)?.toString();
    const isTypedIn = group === activeTabGroup && typing.isUnderWay;
    const isRead = isTypedIn || all.some(({ uri }) => uri.toString() === shown);
    const background = reveal() === "unlessTyping" ? isRead : reveal() === "never";
    return { viewColumn: group.viewColumn, background };
  }

  async #makeWriteable(): Promise<void> {
    const side = activeProposedSide();
    if (!side || this.#options.isReadOnly(side)) return;
    const uri = side.toString();
    // The command has no effect before the editor is visible.
    if (!window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri)) return;
    try {
      await this.#options.documents.makeWriteable();
    } catch (error) {
      this.#options.log(`proposals stay read-only in this editor: ${error}`);
    }
  }
}

/** How long after the last input the user counts as working in an editor, in milliseconds. */
const pause = 3000;

/** Whether the user is, or may be, working in an editor now. VS Code has no API for the keyboard focus. */
export type Typing = ReturnType<typeof watchTyping>;

export function watchTyping(now: () => number = Date.now) {
  let last = Number.NEGATIVE_INFINITY;
  const note = () => {
    last = now();
  };
  const subscriptions = [
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && document === window.activeTextEditor?.document) note();
    }),
    window.onDidChangeTextEditorSelection(({ kind }) => {
      // An event without a kind comes from a program, such as one that has opened the file.
      if (kind === vscode.TextEditorSelectionChangeKind.Keyboard) note();
      if (kind === vscode.TextEditorSelectionChangeKind.Mouse) note();
    }),
  ];
  return {
    get isUnderWay() {
      return window.state.focused && (now() - last < pause || isOpaque());
    },
    dispose: () => vscode.Disposable.from(...subscriptions).dispose(),
  };
}

/**
 * Whether the user may type in the active tab without any event: in a terminal, a web view, or an editor of another
 * extension that has unsaved edits. Into settings, a walkthrough or a picture, nobody types what could be lost.
 */
function isOpaque(): boolean {
  const tab = window.tabGroups.activeTabGroup.activeTab;
  const { TabInputCustom, TabInputTerminal, TabInputWebview } = vscode;
  if (tab?.input instanceof TabInputCustom) return tab.isDirty;
  return tab?.input instanceof TabInputTerminal || tab?.input instanceof TabInputWebview;
}

/** Opens two texts in VS Code's diff editor, in a tab that stays. */
export async function openDiff(
  left: vscode.Uri,
  right: vscode.Uri,
  title: string,
  options: DiffOptions = {},
): Promise<void> {
  // Undocumented in VS Code: `override` opens its text editor where the user has chosen another one for such files.
  const whole = { ...options, preview: false, override: false };
  await commands.executeCommand("vscode.diff", left, right, title, whole);
}

/** The document that a tab shows, or the right side of its diff. */
function sideOf(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}

/** The same, of a proposal. */
export function proposedSideOf(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const uri = sideOf(tab);
  return uri?.scheme === scheme ? uri : undefined;
}

/** The document in the active tab, or the right side of its diff. */
export const activeSide = () => sideOf(window.tabGroups.activeTabGroup.activeTab);

/** The same, of a proposal. */
export const activeProposedSide = () => proposedSideOf(window.tabGroups.activeTabGroup.activeTab);

/** The tabs that show such a document. There are several when the user has split the view. */
export function tabsWhere(isMeant: (side: vscode.Uri) => boolean): vscode.Tab[] {
  const all = window.tabGroups.all.flatMap(({ tabs }) => tabs);
  return all.filter((tab) => {
    const side = sideOf(tab);
    return side !== undefined && isMeant(side);
  });
}

/** @param uri of the document that they show */
export function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  const wanted = uri.toString();
  return tabsWhere((side) => side.toString() === wanted);
}

/** Closes tabs, by default without moving the focus. */
export async function closeTabs(tabs: readonly vscode.Tab[], preserveFocus = true): Promise<void> {
  if (tabs.length > 0) await window.tabGroups.close(tabs, preserveFocus);
}
