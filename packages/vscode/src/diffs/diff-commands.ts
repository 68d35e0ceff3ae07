import * as vscode from "vscode";
import type { Decisions } from "./decisions.ts";
import { findHunk, takeBackHunk } from "./hunk-commands.ts";
import { lensCommands } from "./hunk-lenses.ts";
import type { OpenProposal } from "./open-proposal.ts";
import { activeProposedSide } from "./proposal-tabs.ts";
import type { ProposalViews } from "./proposal-views.ts";
import type { Proposals } from "./proposals.ts";

export interface DiffCommandsOptions {
  readonly proposals: Proposals;
  readonly views: ProposalViews;
  readonly decisions: Decisions;
}

/** What the user can do with proposals, from a lens, the title bar, a key or the palette. */
export function registerDiffCommands({
  proposals,
  views,
  decisions,
}: DiffCommandsOptions): vscode.Disposable {
  /** The one that is meant: by its document, or the one that is looked at. */
  const find = (uri: unknown): OpenProposal | undefined =>
    proposals.at(uri instanceof vscode.Uri ? uri : activeProposedSide());
  const on = (command: string, act: (proposal: OpenProposal, key: string | undefined) => unknown) =>
    vscode.commands.registerCommand(command, async (uri: unknown, key: unknown) => {
      const proposal = find(uri);
      if (proposal) await act(proposal, typeof key === "string" ? key : undefined);
    });
  return vscode.Disposable.from(
    on(lensCommands.accept, decisions.accept),
    on(lensCommands.reject, decisions.reject),
    on(lensCommands.keep, (proposal, key) => {
      const found = findHunk(proposal, key);
      if (found) proposals.setKept(proposal, found.key, !found.isKept);
    }),
    on(lensCommands.takeBack, async (proposal, key) => {
      const found = findHunk(proposal, key);
      if (found) await takeBackHunk(proposal, found);
    }),
    vscode.commands.registerCommand("ideCompanion.review", async () => {
      const chosen = await choose(proposals.all);
      if (chosen) await views.goTo(chosen);
    }),
  );
}

/** Asks only when there are several. */
async function choose(all: readonly OpenProposal[]): Promise<OpenProposal | undefined> {
  const { l10n, window, workspace } = vscode;
  if (all.length === 0) void window.showInformationMessage(l10n.t("No change waits for your decision."));
  if (all.length <= 1) return all[0];
  const items = all.map((item) => ({
    label: workspace.asRelativePath(item.proposal.filePath),
    description: item.proposal.agent,
    item,
  }));
  return (await window.showQuickPick(items, { placeHolder: l10n.t("Changes that wait for your decision") }))
    ?.item;
}
