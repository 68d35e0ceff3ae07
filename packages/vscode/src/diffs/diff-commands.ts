import { nextOf, rangeOf, revert, touches } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { l10n, window } from "vscode";
import { onCommand } from "../commands.ts";
import { nameOf } from "../workspace.ts";
import { type Decisions, notifyNothingWaits } from "./decisions.ts";
import { applyEdits, type MarkedHunk, OpenProposal } from "./open-proposal.ts";
import { sizeOf } from "./proposal-facts.ts";
import { activeProposedSide, type ProposalViews } from "./proposal-views.ts";
import type { Proposals } from "./proposals.ts";
import { isGroup, type WaitingGroups } from "./waiting-groups.ts";

export interface DiffCommandsOptions {
  readonly proposals: Proposals;
  readonly views: ProposalViews;
  readonly decisions: Decisions;
  readonly groups: WaitingGroups;
  /** Goes on in what agents wrote without asking. Resolves with whether there is anything. */
  readonly goToWritten: (step: Step) => Promise<boolean>;
}

/**
 * A key that is held or pressed twice, and a double click, decide about one proposal: the one that comes up takes none for
 * a moment. The same holds for a key when a proposal has just come up on its own.
 */
class Pause {
  /** In milliseconds. A click has to find its button first. */
  static readonly #lengths = { key: 700, click: 300 } as const;
  /** A key that comes sooner after the last one than any user presses it again is held, in milliseconds. */
  static readonly #repeat = 120;
  readonly #known = new WeakSet<OpenProposal>();
  #began = Number.NEGATIVE_INFINITY;
  #asked = Number.NEGATIVE_INFINITY;

  begin(): void {
    this.#began = performance.now();
  }

  /** The user knows this proposal, and means what comes next for it. */
  skip(proposal: OpenProposal): void {
    this.#known.add(proposal);
    this.#began = Number.NEGATIVE_INFINITY;
  }

  /** To be asked once for each key or click: one that counts, and a key that is held, begin the pause. */
  isOver(by: "key" | "click", proposal: OpenProposal | undefined): boolean {
    const now = performance.now();
    const isNew = by === "key" && proposal !== undefined && !this.#known.has(proposal);
    const began = isNew ? Math.max(this.#began, proposal.shownAt) : this.#began;
    const isOver = now - began >= Pause.#lengths[by];
    const isHeld = now - this.#asked < Pause.#repeat;
    this.#asked = now;
    // The next one comes up before VS Code says that the tab is closed. Who presses again in vain has not to wait longer.
    if (isOver || isHeld) this.#began = now;
    return isOver;
  }
}

/** Registers the commands for proposals, which lenses, the title bar, the view, keys and the palette call. */
export function registerDiffCommands(options: DiffCommandsOptions): vscode.Disposable {
  const { proposals, views, decisions, groups } = options;
  const tour = createReviewTour(options);
  /** The view passes a proposal, a lens its document's URI. Otherwise it is the proposal in the active tab. */
  const find = (target: unknown): OpenProposal | undefined =>
    target instanceof OpenProposal
      ? target
      : proposals.at(target instanceof vscode.Uri ? target : activeProposedSide());
  /** That of the proposal in the active tab. Asks only where there is none, and several agents wait. */
  const findGroup = async (active: OpenProposal | undefined) =>
    groups.all.find((group) => active && group.proposals.includes(active)) ??
    choose(groups.all, (group) => ({
      label: group.agent,
      description: group.proposals.map(({ filePath }) => nameOf(filePath)).join(", "),
    }));
  const toRow = (open: OpenProposal) => ({
    label: nameOf(open.filePath),
    description: `${sizeOf(open)}  ${open.agent}`,
  });
  const on = (command: string, act: (proposal: OpenProposal, key: string | undefined) => unknown) =>
    onCommand(command, async (target: unknown, key: unknown) => {
      const proposal = find(target);
      if (proposal) await act(proposal, typeof key === "string" ? key : undefined);
    });
  const pause = new Pause();
  const onDecision = (command: "accept" | "reject" | "acceptAndAskForMore" | "rejectAndSayWhy") =>
    onCommand(command, async (target: unknown) => {
      const proposal = find(target);
      const isKey = !(target instanceof OpenProposal || target instanceof vscode.Uri);
      const isMeant = pause.isOver(isKey ? "key" : "click", proposal);
      if (!proposal || !isMeant) return;
      await decisions[command](proposal, target instanceof OpenProposal);
      // Where the user has been asked something first, and calls it off, the next key is meant for it.
      if (proposals.all.includes(proposal)) pause.skip(proposal);
      else pause.begin();
    });
  return vscode.Disposable.from(
    // Who has clicked into it has seen it.
    window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
      if (kind !== vscode.TextEditorSelectionChangeKind.Mouse) return;
      const proposal = proposals.at(textEditor.document.uri);
      if (proposal) pause.skip(proposal);
    }),
    ...(["accept", "reject", "acceptAndAskForMore", "rejectAndSayWhy"] as const).map(onDecision),
    onCommand("acceptAll", decisions.acceptAll),
    onCommand("rejectAll", decisions.rejectAll),
    onCommand("acceptRest", async (target: unknown) => {
      const group = isGroup(target) ? target : await findGroup(find(undefined));
      if (group) await decisions.acceptRest(group);
    }),
    onCommand("stopAccepting", (target: unknown) =>
      groups.stop(isGroup(target) && target.turn ? [target.turn] : undefined),
    ),
    on("markChangeViewed", (proposal, key) => {
      const found = findHunk(proposal, key);
      if (found) proposals.setViewed(proposal, found.key, !found.isViewed);
    }),
    on("revertChange", async (proposal, key) => {
      const found = findHunk(proposal, key);
      if (found && !proposal.isReadOnly) await applyEdits(proposal.uri, [revert(found.hunk)]);
    }),
    on("editOwnVersion", (open) => proposals.editOwnVersion(open)),
    onCommand("nextChange", () => tour.goToChange(1)),
    onCommand("previousChange", () => tour.goToChange(-1)),
    onCommand("nextProposal", () => tour.goToProposal(1)),
    onCommand("previousProposal", () => tour.goToProposal(-1)),
    onCommand("review", async (target: unknown) => {
      const chosen = target instanceof OpenProposal ? target : await choose(groups.proposals, toRow);
      if (chosen) await views.goTo(chosen);
    }),
  );
}

/** Asks only when there are several. */
async function choose<Item>(
  all: readonly Item[],
  toRow: (item: Item) => Pick<vscode.QuickPickItem, "label" | "description">,
): Promise<Item | undefined> {
  if (all.length === 0) notifyNothingWaits();
  if (all.length <= 1) return all[0];
  const items = all.map((item) => ({ ...toRow(item), item }));
  const placeHolder = l10n.t("Changes that wait for your decision");
  return (await window.showQuickPick(items, { placeHolder }))?.item;
}

/** The change with this key, which a lens passes, or else the one at the cursor. */
function findHunk({ hunks, uri }: OpenProposal, key: string | undefined): MarkedHunk | undefined {
  if (key !== undefined) return hunks.find((candidate) => candidate.key === key);
  const editor = window.activeTextEditor;
  if (editor?.document.uri.toString() !== uri.toString()) return undefined;
  return hunks.find(({ hunk }) => touches(hunk, editor.selection));
}

/** Forward or backward. */
export type Step = 1 | -1;

function createReviewTour({ groups, proposals, views, goToWritten }: DiffCommandsOptions) {
  const goToProposal = async (step: Step): Promise<OpenProposal | undefined> => {
    const all = groups.proposals;
    const at = all.findIndex(({ uri }) => uri.toString() === activeProposedSide()?.toString());
    const next = at < 0 ? all.at(step > 0 ? 0 : -1) : all[(at + step + all.length) % all.length];
    if (next) await views.goTo(next);
    else notifyNothingWaits();
    return next;
  };
  return {
    goToProposal,
    async goToChange(step: Step) {
      const open = proposals.at(activeProposedSide());
      if (!open && (await goToWritten(step))) return;
      const line = open && nextOf(startsOf(open), cursorIn(open), step);
      if (open && line !== undefined) return showLine(open, line);
      const next = await goToProposal(step);
      const first = next && startsOf(next).at(step > 0 ? 0 : -1);
      if (next && first !== undefined) showLine(next, first);
    },
  };
}

function startsOf({ hunks }: OpenProposal): readonly number[] {
  return hunks.map(({ hunk }) => rangeOf(hunk).start.line);
}

/** The cursor's line in the proposed side, 0-based; -1 while that side is not visible. */
function cursorIn(open: OpenProposal): number {
  return editorOf(open)?.selection.active.line ?? -1;
}

function showLine(open: OpenProposal, line: number): void {
  const editor = editorOf(open);
  if (editor) goToLine(editor, line);
}

/** Moves the cursor to a line, which is shown. */
export function goToLine(editor: vscode.TextEditor, line: number): void {
  const position = new vscode.Position(Math.min(line, editor.document.lineCount - 1), 0);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function editorOf({ uri }: OpenProposal): vscode.TextEditor | undefined {
  return window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
}
