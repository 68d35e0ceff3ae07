import { basename } from "node:path";
import type { CompanionEvent } from "ide-companion";
import * as vscode from "vscode";
import { toMessage } from "./plain-text.ts";

/** Says when the file does not hold what the user accepted; edits of the user's are announced as recovered instead. */
export function createFileResults(): (event: CompanionEvent) => void {
  /** Ids of proposals that the user accepted with edits. */
  const edited = new Set<string>();
  return (event) => {
    if (event.kind === "diff-settled" && event.settlement.kind === "accepted") {
      if (event.settlement.content !== event.proposal.newContent) edited.add(event.proposal.id);
    }
    if (event.kind !== "file-checked") return;
    const { proposal, result } = event;
    if (edited.delete(proposal.id) || result === "written") return;
    const { agent, filePath } = proposal;
    const name = basename(filePath);
    const message =
      result === "not-written"
        ? vscode.l10n.t("{0} did not write {1}: the file is as it was before you accepted.", agent, name)
        : vscode.l10n.t("{0} wrote {1} differently from what you accepted.", agent, name);
    void vscode.window.showWarningMessage(toMessage(message));
  };
}
