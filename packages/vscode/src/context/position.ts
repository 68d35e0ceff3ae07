import * as vscode from "vscode";
import type { Position } from "./attention.ts";

/** Nobody takes more of a selection, in UTF-16 units; a surrogate pair is cut where the limit is kept. */
const mostSelected = 16_384 + 1;

/** Where the user is in a file: the primary of several selections. */
export function positionIn(path: string): Position {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return {};
  const { document, selection } = editor;
  const selected = selectedText(document, selection);
  // A cell of a notebook has lines of its own, which no agent could find in the file.
  if (document.uri.scheme === "vscode-notebook-cell" && document.uri.fsPath === path) return selected;
  if (document.uri.scheme !== "file" || document.uri.fsPath !== path) return {};
  const { line, character } = selection.active;
  return { cursor: { line: line + 1, character: character + 1 }, ...selected };
}

function selectedText(
  document: vscode.TextDocument,
  selection: vscode.Selection,
): Pick<Position, "selectedText"> {
  if (selection.isEmpty) return {};
  const end = document.positionAt(document.offsetAt(selection.start) + mostSelected);
  const range = end.isBefore(selection.end) ? new vscode.Range(selection.start, end) : selection;
  return { selectedText: document.getText(range) };
}
