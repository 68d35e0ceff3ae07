import { rangeOf } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { l10n, workspace } from "vscode";
import type { MarkedHunk, OpenProposal } from "./open-proposal.ts";
import { scheme } from "./proposal-documents.ts";
import { faintDifferenceOf, lossOf, noteOf, readOnlyReasonOf, sizeOf, stateOf } from "./proposal-facts.ts";
import type { Proposals } from "./proposals.ts";

/** Shows Accept and Reject above a proposal, Viewed and Revert above each of its changes. */
export function provideLenses(proposals: Proposals): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const concerns = (document: vscode.TextDocument) =>
    proposals.all.some(({ originalDocument }) => originalDocument === document);
  return vscode.Disposable.from(
    changed,
    proposals.onChange(() => changed.fire()),
    // VS Code refreshes lenses when the proposal is edited, but not when the file on the left is.
    workspace.onDidChangeTextDocument(({ document }) => {
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
  const { uri, isReadOnly } = proposal;
  const { comments, state } = proposal.change;
  const decide = (icon: string, title: string, command: string, tooltip = "") =>
    lens(0, { title: `$(${icon}) ${title}`, tooltip, command: `ideCompanion.${command}`, arguments: [uri] });
  const title = describe(proposal);
  return [
    ...(comments.length > 0
      ? [
          decide("comment", l10n.t("Accept and Ask for More"), "acceptAndAskForMore"),
          decide("comment", l10n.t("Reject and Say Why"), "rejectAndSayWhy"),
        ]
      : [
          decide("check", l10n.t("Accept"), "accept"),
          ...(state === "same" ? [] : [decide("close", l10n.t("Reject"), "reject")]),
        ]),
    // Half of a window of 1280 pixels shows it, also behind the two for comments.
    ...(isReadOnly ? [decide("edit", l10n.t("Edit"), "editOwnVersion", readOnlyReasonOf(proposal))] : []),
    lens(0, { title, tooltip: title.replaceAll(/\$\([^)]*\) /g, ""), command: "ideCompanion.waiting.focus" }),
  ];
}

/** A summary of the proposal: `+3 −1, 1 of 2 changes viewed`. A narrow pane cuts the end. */
function describe(open: OpenProposal): string {
  const { original, hunks, isOriginalDirty, isReadOnly } = open;
  const viewed = hunks.filter(({ isViewed }) => isViewed).length;
  const facts = [
    isOriginalDirty ? `$(warning) ${l10n.t("your unsaved edits are not in it")}` : undefined,
    stateOf(open) ?? faintDifferenceOf(open),
    lossOf(open),
    original.isNewFile ? l10n.t("new file") : undefined,
    noteOf(open),
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
  const line = Math.min(rangeOf(hunk).start.line, last);
  const on = (icon: string, title: string, command: string) =>
    lens(line, { title: `$(${icon}) ${title}`, command: `ideCompanion.${command}`, arguments: [uri, key] });
  const mark = isViewed ? "pass-filled" : "circle-large-outline";
  return [
    on(mark, l10n.t("Viewed"), "markChangeViewed"),
    ...(isReadOnly ? [] : [on("discard", l10n.t("Revert"), "revertChange")]),
  ];
}

const lens = (line: number, command: vscode.Command) =>
  new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);
