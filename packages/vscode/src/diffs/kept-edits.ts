import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { CompanionEvent } from "ide-companion";
import * as vscode from "vscode";
import { toMessage } from "../plain-text.ts";
import type { Draft, DraftShelf } from "./draft-shelf.ts";
import { proposalIdOf } from "./proposal-uri.ts";
import type { Proposals } from "./proposals.ts";

/** How long edits are in memory alone, in milliseconds. */
const mostUnwritten = 300;

export interface KeptEdits extends vscode.Disposable {
  /** Offers the user's edits that no agent takes; what comes when the window ends, the next one offers. */
  take(event: CompanionEvent): void;
  /** @param id under which the draft lies on the shelf already; there it is until the user has answered */
  offer(draft: Draft, why: string, id?: string): void;
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
  const keep = (draft: Draft): string => {
    const id = randomUUID();
    shelf.write(id, draft);
    return id;
  };
  const offer = async (draft: Draft, why: string, id = keep(draft)) => {
    const open = l10n.t("Open my version");
    const answer = await window.showWarningMessage(toMessage(why), open);
    // That was no answer: the next window asks again.
    if (hasEnded) return;
    if (answer === open) await show(draft);
    shelf.remove(id);
  };
  const takeUntaken = ({ proposal, content }: Extract<CompanionEvent, { kind: "edits-untaken" }>) => {
    const { filePath, agent } = proposal;
    const draft = { filePath, agent, content };
    const why = l10n.t(
      "{0} has not taken your edits of {1}: you had accepted them, and the file does not hold them.",
      agent,
      basename(filePath),
    );
    if (hasEnded) keep(draft);
    else void offer(draft, why);
  };
  const subscription = workspace.onDidChangeTextDocument(({ document }) => {
    const id = proposalIdOf(document.uri);
    if (id === undefined) return;
    if (!timers.has(id)) timers.set(id, setTimeout(save, mostUnwritten, id));
  });
  return {
    offer: (draft, why, id) => void offer(draft, why, id),
    take(event) {
      if (event.kind === "edits-untaken") return takeUntaken(event);
      if (event.kind !== "diff-settled" || hasEnded) return;
      const { proposal, settlement } = event;
      const { id, filePath, agent } = proposal;
      const content = settlement.unsavedEdits;
      if (content !== undefined) {
        const why = l10n.t(
          "{0} has not taken your edits of {1}: the change was decided elsewhere.",
          agent,
          basename(filePath),
        );
        void offer({ filePath, agent, content }, why);
      }
      forget(id);
    },
    leaveAll() {
      hasEnded = true;
      for (const { proposal } of proposals.all) save(proposal.id);
    },
    dispose() {
      hasEnded = true;
      for (const timer of timers.values()) clearTimeout(timer);
      subscription.dispose();
    },
  };
}

/** As a text of its own, which nobody has saved. */
async function show({ filePath, content }: Draft): Promise<void> {
  const { window, workspace } = vscode;
  const document = await workspace.openTextDocument({ content, ...(await languageOf(filePath)) });
  await window.showTextDocument(document, { preview: false });
}

/** The language that VS Code would give the file. */
async function languageOf(filePath: string): Promise<{ language?: string }> {
  try {
    return { language: (await vscode.workspace.openTextDocument(vscode.Uri.file(filePath))).languageId };
  } catch {
    return {}; // there is no such file yet
  }
}
