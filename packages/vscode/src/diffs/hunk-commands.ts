import { revert, touches } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import type { MarkedHunk } from "./marked-hunks.ts";
import type { OpenProposal } from "./open-proposal.ts";

/** The change that a lens names, or the one at the cursor. */
export function findHunk({ hunks, uri }: OpenProposal, key: string | undefined): MarkedHunk | undefined {
  if (key !== undefined) return hunks.find((candidate) => candidate.key === key);
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.toString() !== uri.toString()) return undefined;
  return hunks.find(({ hunk }) => touches(hunk, editor.selection));
}

/** Puts the lines of the file in the place of the change. */
export async function revertHunk({ uri }: OpenProposal, { hunk }: MarkedHunk): Promise<void> {
  const { range, newText } = revert(hunk);
  const edit = new vscode.WorkspaceEdit();
  const { start, end } = range;
  edit.replace(uri, new vscode.Range(start.line, start.character, end.line, end.character), newText);
  await vscode.workspace.applyEdit(edit);
}
