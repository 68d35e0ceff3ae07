import { basename } from "node:path";
import * as vscode from "vscode";
import { toMessage } from "../plain-text.ts";
import { askForComment } from "./comments.ts";
import { describeProposal, type OpenProposal } from "./open-proposal.ts";
import type { Proposals } from "./proposals.ts";

/** Accepts and rejects whole proposals. */
export interface Decisions {
  accept(proposal: OpenProposal): Promise<void>;
  reject(proposal: OpenProposal): Promise<void>;
  /** Sends the user's comments with it; asks for one where there is none. */
  acceptAndAskForMore(proposal: OpenProposal): Promise<void>;
  /** Sends the user's comments with it; asks for one where there is none. */
  rejectAndSayWhy(proposal: OpenProposal): Promise<void>;
  /** Asks for confirmation when there are several. */
  acceptAll(): Promise<void>;
  /** Asks for confirmation when there are several. */
  rejectAll(): Promise<void>;
}

type Kind = "accepted" | "rejected";

/** How many proposals a question lists; it counts the rest. */
const maxListed = 15;

export function createDecisions(proposals: Proposals): Decisions {
  const decide = async (proposal: OpenProposal, kind: Kind, isCommenting = false) => {
    const { text, ownVersion } = proposal;
    const comments = isCommenting ? { comments: proposal.comments } : {};
    const decision =
      kind === "accepted"
        ? { kind, content: text, ...(ownVersion && { ownVersion }), ...comments }
        : { kind, ...comments };
    const result = await proposals.decide(proposal, decision);
    if (!result.taken) void vscode.window.showWarningMessage(toMessage(result.reason));
  };
  const accept = async (proposal: OpenProposal, isCommenting = false) => {
    if (proposal.isOriginalDirty && !(await confirmOverwriting(proposal))) return;
    await decide(proposal, "accepted", isCommenting);
  };
  const decideAll = async (kind: Kind) => {
    const { all } = proposals;
    const [first] = all;
    if (!first) return notifyNothingWaits();
    if (all.length === 1) return kind === "accepted" ? accept(first) : decide(first, kind);
    if (!(await confirmAll(all, kind))) return;
    for (const proposal of all) await decide(proposal, kind);
  };
  return {
    accept: (proposal) => accept(proposal),
    reject: (proposal) => decide(proposal, "rejected"),
    acceptAndAskForMore: (proposal) =>
      proposal.comments.length > 0 ? accept(proposal, true) : askForComment(proposal),
    rejectAndSayWhy: (proposal) =>
      proposal.comments.length > 0 ? decide(proposal, "rejected", true) : askForComment(proposal),
    acceptAll: () => decideAll("accepted"),
    rejectAll: () => decideAll("rejected"),
  };
}

export function notifyNothingWaits(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t("No change waits for your decision."));
}

/** Asks because the agent writes the file on disk and ignores unsaved edits. */
async function confirmOverwriting({ proposal }: OpenProposal): Promise<boolean> {
  const { l10n, window } = vscode;
  const name = toMessage(basename(proposal.filePath));
  const accept = l10n.t("Accept");
  const detail = l10n.t(
    "{0} writes the file on disk, without them. They stay in the editor, unsaved, and VS Code asks which of the two to keep when you save.",
    toMessage(proposal.agent),
  );
  const message = l10n.t("{0} has edits that you have not saved.", name);
  return (await window.showWarningMessage(message, { modal: true, detail }, accept)) === accept;
}

/** Lists the proposals, and says which edits of the user they concern. */
async function confirmAll(all: readonly OpenProposal[], kind: Kind): Promise<boolean> {
  const { l10n, window } = vscode;
  const isAccepting = kind === "accepted";
  const message = isAccepting
    ? l10n.t("Accept all {0} changes?", all.length)
    : l10n.t("Reject all {0} changes?", all.length);
  const lines = all.slice(0, maxListed).map((proposal) => {
    const notes = [
      proposal.isEdited
        ? isAccepting
          ? l10n.t("with your edits")
          : l10n.t("without your edits")
        : undefined,
      isAccepting && proposal.isOriginalDirty
        ? l10n.t("the file has edits that you have not saved")
        : undefined,
    ].filter((note) => note !== undefined);
    return toMessage([describeProposal(proposal), ...notes].join(", "));
  });
  const rest = all.length - lines.length;
  if (rest > 0) lines.push(l10n.t("and {0} more", rest));
  const yes = isAccepting ? l10n.t("Accept all") : l10n.t("Reject all");
  const options = { modal: true, detail: lines.join("\n") };
  return (await window.showWarningMessage(message, options, yes)) === yes;
}
