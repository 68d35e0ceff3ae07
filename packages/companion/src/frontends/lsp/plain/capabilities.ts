import { CodeActionKind, type ServerCapabilities, TextDocumentSyncKind } from "vscode-languageserver";
import type { Question } from "../../../editors/editor-record.ts";
import type { Client } from "../client.ts";

/** Just what makes an editor tell us where its user is, and what the user decides by. */
export function toCapabilities({ unwanted }: Pick<Client, "unwanted">): ServerCapabilities {
  const wants = (question: Question) => !unwanted.includes(question);
  return {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, shareKind] },
    codeLensProvider: {},
    executeCommandProvider: { commands: Object.values(commands) },
    ...(wants("hover") && { hoverProvider: true }),
    ...(wants("signatureHelp") && { signatureHelpProvider: {} }),
    ...(wants("documentHighlight") && { documentHighlightProvider: true }),
    ...(wants("selectionRange") && { selectionRangeProvider: true }),
    ...(wants("inlayHint") && { inlayHintProvider: true }),
  };
}

/** Of the action that shares a selection: no fix, and nothing that happens on saving. */
export const shareKind = `${CodeActionKind.Source}.ide-companion`;

/** As editors with a command picker show them. */
export const commands = {
  accept: "ide-companion.accept",
  reject: "ide-companion.reject",
  revert: "ide-companion.revert",
  shareSelection: "ide-companion.shareSelection",
  status: "ide-companion.status",
  pause: "ide-companion.pause",
  resume: "ide-companion.resume",
} as const;
