import * as vscode from "vscode";
import { type Decisions, sayNothingWaits } from "./decisions.ts";
import { findHunk, revertHunk } from "./hunk-commands.ts";
import { lensCommands } from "./hunk-lenses.ts";
import { OpenProposal } from "./open-proposal.ts";
import { activeProposedSide } from "./proposal-tabs.ts";
import type { ProposalViews } from "./proposal-views.ts";
import { nameOf, sizeOf } from "./proposal-words.ts";
import type { Proposals } from "./proposals.ts";
import { createReviewTour } from "./review-tour.ts";

export interface DiffCommandsOptions {
  readonly proposals: Proposals;
  readonly views: ProposalViews;
  readonly decisions: Decisions;
}

/** What the user can do with proposals, from a lens, the title bar, the view, a key or the palette. */
export function registerDiffCommands({
  proposals,
  views,
  decisions,
}: DiffCommandsOptions): vscode.Disposable {
  const tour = createReviewTour(proposals, views);
  /** The one that is meant: as the view has it, by its document, or the one that is looked at. */
  const find = (meant: unknown): OpenProposal | undefined =>
    meant instanceof OpenProposal
      ? meant
      : proposals.at(meant instanceof vscode.Uri ? meant : activeProposedSide());
  const { registerCommand } = vscode.commands;
  const on = (command: string, act: (proposal: OpenProposal, key: string | undefined) => unknown) =>
    registerCommand(command, async (meant: unknown, key: unknown) => {
      const proposal = find(meant);
      if (proposal) await act(proposal, typeof key === "string" ? key : undefined);
    });
  return vscode.Disposable.from(
    on(lensCommands.accept, decisions.accept),
    on(lensCommands.reject, decisions.reject),
    registerCommand("ideCompanion.acceptAll", decisions.acceptAll),
    registerCommand("ideCompanion.rejectAll", decisions.rejectAll),
    on(lensCommands.markViewed, (proposal, key) => {
      const found = findHunk(proposal, key);
      if (found) proposals.setViewed(proposal, found.key, !found.isViewed);
    }),
    on(lensCommands.revert, async (proposal, key) => {
      const found = findHunk(proposal, key);
      if (found) await revertHunk(proposal, found);
    }),
    registerCommand("ideCompanion.nextChange", () => tour.goToChange(1)),
    registerCommand("ideCompanion.previousChange", () => tour.goToChange(-1)),
    registerCommand("ideCompanion.nextProposal", () => tour.goToProposal(1)),
    registerCommand("ideCompanion.previousProposal", () => tour.goToProposal(-1)),
    registerCommand("ideCompanion.review", async (meant: unknown) => {
      const chosen = meant instanceof OpenProposal ? meant : await choose(proposals.all);
      if (chosen) await views.goTo(chosen);
    }),
  );
}

/** Asks only when there are several. */
async function choose(all: readonly OpenProposal[]): Promise<OpenProposal | undefined> {
  const { l10n, window } = vscode;
  if (all.length === 0) sayNothingWaits();
  if (all.length <= 1) return all[0];
  const items = all.map((item) => ({
    label: nameOf(item),
    description: `${sizeOf(item)}  ${item.proposal.agent}`,
    item,
  }));
  return (await window.showQuickPick(items, { placeHolder: l10n.t("Changes that wait for your decision") }))
    ?.item;
}
