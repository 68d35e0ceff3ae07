import { basename } from "node:path";
import type { CompanionEvent } from "ide-companion";
import * as vscode from "vscode";
import { toMessage } from "../plain-text.ts";
import type { Draft, DraftShelf } from "./draft-shelf.ts";
import { proposalIdOf } from "./proposal-uri.ts";
import type { Proposals } from "./proposals.ts";

/** Of quiet before edits go to disk, in milliseconds. */
const typing = 300;

export interface KeptEdits extends vscode.Disposable {
  /** Offers the user's edits that no agent takes. */
  take(event: CompanionEvent): void;
  offer(draft: Draft, why: string): void;
  /** The window ends: the next one finds all edits. */
  leaveAll(): void;
}

/** Sees to it that no edit of a proposal is lost, whatever becomes of the proposal or the window. */
export function keepEdits(proposals: Proposals, shelf: DraftShelf): KeptEdits {
  const { l10n, window, workspace } = vscode;
  const timers = new Map<string, NodeJS.Timeout>();
  let hasEnded = false;
  const save = (id: string) => {
    timers.delete(id);
    const open = proposals.all.find(({ proposal }) => proposal.id === id);
    if (!open) return;
    const { filePath, agent } = open.proposal;
    if (open.isEdited) shelf.write(id, { filePath, agent, content: open.text });
    else shelf.remove(id);
  };
  const forget = (id: string) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
    shelf.remove(id);
  };
  const offer = async ({ filePath, content }: Draft, why: string) => {
    const open = l10n.t("Open my version");
    if ((await window.showWarningMessage(toMessage(why), open)) !== open) return;
    const document = await workspace.openTextDocument({ content, ...(await languageOf(filePath)) });
    await window.showTextDocument(document, { preview: false });
  };
  const subscription = workspace.onDidChangeTextDocument(({ document }) => {
    const id = proposalIdOf(document.uri);
    if (id === undefined) return;
    clearTimeout(timers.get(id));
    timers.set(
      id,
      setTimeout(() => save(id), typing),
    );
  });
  return {
    offer: (draft, why) => void offer(draft, why),
    take(event) {
      if (event.kind !== "diff-settled" || hasEnded) return;
      const { proposal, settlement } = event;
      const content = settlement.unsavedEdits;
      forget(proposal.id);
      if (content === undefined) return;
      const why = l10n.t(
        "{0} has not taken your edits of {1}: the change was decided elsewhere.",
        proposal.agent,
        basename(proposal.filePath),
      );
      void offer({ filePath: proposal.filePath, agent: proposal.agent, content }, why);
    },
    leaveAll() {
      hasEnded = true;
      for (const { proposal } of proposals.all) save(proposal.id);
    },
    dispose() {
      for (const timer of timers.values()) clearTimeout(timer);
      subscription.dispose();
    },
  };
}

/** The language that VS Code would give the file. */
async function languageOf(filePath: string): Promise<{ language?: string }> {
  try {
    return { language: (await vscode.workspace.openTextDocument(vscode.Uri.file(filePath))).languageId };
  } catch {
    return {}; // there is no such file yet
  }
}
