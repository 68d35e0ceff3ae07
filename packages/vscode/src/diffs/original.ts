import { readFileText } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { standInUri } from "./proposal-uri.ts";

/** What a proposal is compared with. */
export interface Original {
  /** The file itself, or a stand-in when VS Code could not show it as text. */
  readonly uri: vscode.Uri;
  /** As read from disk; empty when there is none to be compared. */
  readonly text: string;
  readonly isNewFile: boolean;
  /** A few words for the user about a file that cannot be compared. */
  readonly note?: string;
}

/**
 * Finds the file that a proposal is for.
 * @throws Error when it is a folder: no diff can be shown.
 */
export async function findOriginal(filePath: string, id: string): Promise<Original> {
  const file = await readFileText(filePath);
  const standIn = { uri: standInUri(filePath, id), text: "", isNewFile: false };
  switch (file.kind) {
    case "text":
      return { uri: vscode.Uri.file(filePath), text: file.text, isNewFile: false };
    case "missing":
      return { ...standIn, isNewFile: true };
    case "folder":
      throw new Error(vscode.l10n.t("{0} is a folder, not a file", filePath));
    case "binary":
      return { ...standIn, note: vscode.l10n.t("the file on disk is not a text") };
    case "too-large":
      return { ...standIn, note: vscode.l10n.t("the file on disk is too large to be compared") };
    case "unreadable":
      return { ...standIn, note: vscode.l10n.t("the file on disk cannot be read") };
  }
}
