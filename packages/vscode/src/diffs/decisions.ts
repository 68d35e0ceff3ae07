import { basename } from "node:path";
import * as vscode from "vscode";
import { toMessage } from "../plain-text.ts";
import type { OpenProposal } from "./open-proposal.ts";
import type { Proposals } from "./proposals.ts";

/** What the user says to proposals as a whole. */
export interface Decisions {
  accept(proposal: OpenProposal): Promise<void>;
  reject(proposal: OpenProposal): Promise<void>;
}

export function createDecisions(proposals: Proposals): Decisions {
  const decide = async (proposal: OpenProposal, kind: "accepted" | "rejected") => {
    const decision = kind === "accepted" ? { kind, content: proposal.text } : { kind };
    const verdict = await proposals.decide(proposal, decision);
    if (!verdict.taken) void vscode.window.showWarningMessage(toMessage(verdict.reason));
  };
  return {
    async accept(proposal) {
      if (proposal.isOriginalDirty && !(await confirmOverwriting(proposal))) return;
      await decide(proposal, "accepted");
    },
    reject: (proposal) => decide(proposal, "rejected"),
  };
}

/** The agent writes the file on disk, whatever the user has typed in the editor and not saved. */
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
