import { rangeOf } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { notifyNothingWaits } from "./decisions.ts";
import type { OpenProposal } from "./open-proposal.ts";
import { activeProposedSide } from "./proposal-tabs.ts";
import type { ProposalViews } from "./proposal-views.ts";
import type { Proposals } from "./proposals.ts";

/** Forward or backward. */
export type Step = 1 | -1;

/** Moves through all waiting proposals, change by change or file by file. After the last comes the first. */
export interface ReviewTour {
  goToChange(step: Step): Promise<void>;
  goToProposal(step: Step): Promise<void>;
}

export function createReviewTour(proposals: Proposals, views: ProposalViews): ReviewTour {
  const goToProposal = async (step: Step): Promise<OpenProposal | undefined> => {
    const { all } = proposals;
    const at = all.findIndex(({ uri }) => uri.toString() === activeProposedSide()?.toString());
    const next = at < 0 ? all.at(step > 0 ? 0 : -1) : all[(at + step + all.length) % all.length];
    if (next) await views.goTo(next);
    else notifyNothingWaits();
    return next;
  };
  return {
    async goToProposal(step) {
      await goToProposal(step);
    },
    async goToChange(step) {
      const open = proposals.at(activeProposedSide());
      const line = open && nextLine(startsOf(open), cursorIn(open), step);
      if (open && line !== undefined) return showLine(open, line);
      const next = await goToProposal(step);
      const first = next && startsOf(next).at(step > 0 ? 0 : -1);
      if (next && first !== undefined) showLine(next, first);
    },
  };
}

/** @param starts first lines of all changes, ascending @returns the one after the cursor, or before it */
export function nextLine(starts: readonly number[], cursor: number, step: Step): number | undefined {
  return step > 0 ? starts.find((start) => start > cursor) : starts.findLast((start) => start < cursor);
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
  if (!editor) return;
  const position = new vscode.Position(Math.min(line, editor.document.lineCount - 1), 0);
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(
    new vscode.Range(position, position),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}

function editorOf({ uri }: OpenProposal): vscode.TextEditor | undefined {
  return vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
}
