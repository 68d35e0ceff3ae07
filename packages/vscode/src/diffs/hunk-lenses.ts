import { rangeOf } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import type { MarkedHunk, OpenProposal } from "./open-proposal.ts";
import { scheme } from "./proposal-documents.ts";
import { faintDifferenceOf, lossOf, readOnlyReasonOf, sizeOf, stateOf } from "./proposal-facts.ts";
import type { Proposals } from "./proposals.ts";

/** Commands that lenses call with the document's URI and, for a change, its key. */
export const lensCommands = {
  accept: "ideCompanion.accept",
  reject: "ideCompanion.reject",
  acceptAndAskForMore: "ideCompanion.acceptAndAskForMore",
  rejectAndSayWhy: "ideCompanion.rejectAndSayWhy",
  markViewed: "ideCompanion.markChangeViewed",
  revert: "ideCompanion.revertChange",
  editOwnVersion: "ideCompanion.editOwnVersion",
} as const;

/** Shows Accept and Reject above a proposal, Viewed and Revert above each of its changes. */
export function provideLenses(proposals: Proposals): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const concerns = (document: vscode.TextDocument) =>
    proposals.all.some(({ originalDocument }) => originalDocument === document);
  return vscode.Disposable.from(
    changed,
    proposals.onChange(() => changed.fire()),
    // VS Code refreshes lenses when the proposal is edited, but not when the file on the left is.
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (concerns(document)) changed.fire();
    }),
    vscode.languages.registerCodeLensProvider(
      { scheme },
      {
        onDidChangeCodeLenses: changed.event,
        provideCodeLenses(document) {
          const proposal = proposals.at(document.uri);
          if (!proposal) return [];
          const last = document.lineCount - 1;
          return [
            ...headLenses(proposal),
            ...proposal.hunks.flatMap((hunk) => hunkLenses(proposal, hunk, last)),
          ];
        },
      },
    ),
  );
}

function headLenses(proposal: OpenProposal): vscode.CodeLens[] {
  const { uri, isReadOnly, comments, state } = proposal;
  const { l10n } = vscode;
  const edit = {
    // Half of a window of 1280 pixels shows it, also behind the two for comments.
    title: `$(edit) ${l10n.t("Edit")}`,
    tooltip: readOnlyReasonOf(proposal) ?? "",
    command: lensCommands.editOwnVersion,
    arguments: [uri],
  };
  const decide = (icon: string, title: string, command: string) =>
    lens(0, { title: `$(${icon}) ${title}`, command, arguments: [uri] });
  return [
    ...(comments.length > 0
      ? [
          decide("comment", l10n.t("Accept and Ask for More"), lensCommands.acceptAndAskForMore),
          decide("comment", l10n.t("Reject and Say Why"), lensCommands.rejectAndSayWhy),
        ]
      : [
          decide("check", l10n.t("Accept"), lensCommands.accept),
          ...(state === "same" ? [] : [decide("close", l10n.t("Reject"), lensCommands.reject)]),
        ]),
    ...(isReadOnly ? [lens(0, edit)] : []),
    lens(0, {
      title: describe(proposal),
      tooltip: describe(proposal).replaceAll(/\$\([^)]*\) /g, ""),
      command: "ideCompanion.waiting.focus",
    }),
  ];
}

/** A summary of the proposal: `+3 −1, 1 of 2 changes viewed`. A narrow pane cuts the end. */
function describe(open: OpenProposal): string {
  const { original, hunks, isOriginalDirty, isReadOnly } = open;
  const { l10n } = vscode;
  const viewed = hunks.filter(({ isViewed }) => isViewed).length;
  const facts = [
    isOriginalDirty ? `$(warning) ${l10n.t("your unsaved edits are not in it")}` : undefined,
    stateOf(open) ?? faintDifferenceOf(open),
    lossOf(open),
    original.isNewFile ? l10n.t("new file") : undefined,
    original.note,
    sizeOf(open),
    viewed > 0 ? l10n.t("{0} of {1} changes viewed", viewed, hunks.length) : undefined,
    isReadOnly ? `$(lock) ${readOnlyReasonOf(open)}` : undefined,
  ];
  return facts.filter((fact) => fact !== undefined).join(", ");
}

function hunkLenses(
  { uri, isReadOnly }: OpenProposal,
  { hunk, key, isViewed }: MarkedHunk,
  last: number,
): vscode.CodeLens[] {
  const { l10n } = vscode;
  const line = Math.min(rangeOf(hunk).start.line, last);
  const revert = {
    title: `$(discard) ${l10n.t("Revert")}`,
    command: lensCommands.revert,
    arguments: [uri, key],
  };
  const mark = `$(${isViewed ? "pass-filled" : "circle-large-outline"}) ${l10n.t("Viewed")}`;
  return [
    lens(line, { title: mark, command: lensCommands.markViewed, arguments: [uri, key] }),
    ...(isReadOnly ? [] : [lens(line, revert)]),
  ];
}

const lens = (line: number, command: vscode.Command) =>
  new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);
