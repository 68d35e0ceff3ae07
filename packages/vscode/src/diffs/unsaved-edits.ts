import { type CompanionEvent, type FileWrite, rebaseUnsaved } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { commands, l10n, window, workspace } from "vscode";
import { toMessage } from "../plain-text.ts";
import { nameOf, openDocument } from "../workspace.ts";
import { applyEdits } from "./open-proposal.ts";

/**
 * Offers to merge what the user has not saved with what an agent has written to the same file. VS Code asks when it is
 * saved, and then lets one side go.
 */
export class UnsavedEdits {
  /** What files were before the first write that their documents do not have, by path. */
  readonly #before = new Map<string, string>();
  /** Paths with an offer that the user has not answered. */
  readonly #offered = new Set<string>();
  readonly #subscription: vscode.Disposable;

  constructor() {
    const forget = (document: vscode.TextDocument) => {
      if (!document.isDirty) this.#before.delete(document.uri.fsPath);
    };
    this.#subscription = vscode.Disposable.from(
      workspace.onDidSaveTextDocument(forget),
      workspace.onDidCloseTextDocument(forget),
      workspace.onDidChangeTextDocument(({ document }) => forget(document)),
    );
  }

  /** Hears what becomes of the changes that agents have asked about. */
  handle(event: CompanionEvent): void {
    if (event.kind !== "file-checked" || event.result === "not-written") return;
    const { agent, filePath, base } = event.proposal;
    if (base.kind === "text") void this.offer({ agent, filePath, before: base.text });
  }

  /** An agent has written a file. */
  async offer({ agent, filePath, before }: FileWrite): Promise<void> {
    const document = openDocument(filePath);
    if (!document?.isDirty || typeof before !== "string") return;
    const path = document.uri.fsPath;
    if (!this.#before.has(path)) this.#before.set(path, before);
    if (this.#offered.has(path)) return;
    this.#offered.add(path);
    const merge = l10n.t("Merge");
    const message = l10n.t(
      "{0} has written {1}, which has edits that you have not saved.",
      agent,
      nameOf(filePath),
    );
    const answer = await window.showWarningMessage(toMessage(message), merge);
    this.#offered.delete(path);
    if (answer === merge) await this.#merge(document);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** The document holds its file again, and then both. */
  async #merge(document: vscode.TextDocument): Promise<void> {
    await window.showTextDocument(document);
    const before = this.#before.get(document.uri.fsPath);
    if (before === undefined) return;
    const mine = document.getText();
    await commands.executeCommand("workbench.action.files.revert");
    await applyEdits(document.uri, rebaseUnsaved(mine, before, document.getText()));
  }
}
