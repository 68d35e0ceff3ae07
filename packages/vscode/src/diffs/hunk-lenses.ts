import { countLines, rangeOf } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import type { MarkedHunk } from "./kept-hunks.ts";
import type { OpenProposal } from "./open-proposal.ts";
import { scheme } from "./proposal-uri.ts";
import type { Proposals } from "./proposals.ts";

/** Commands that a lens calls; each takes the document's URI, those of a change its key as well. */
export const lensCommands = {
  accept: "ideCompanion.accept",
  reject: "ideCompanion.reject",
  keep: "ideCompanion.keepChange",
  takeBack: "ideCompanion.takeBackChange",
} as const;

/** Accept and reject above a proposal, keep and take back above each of its changes. */
export function provideLenses(proposals: Proposals): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const concerns = (document: vscode.TextDocument) =>
    proposals.all.some(({ originalDocument }) => originalDocument === document);
  return vscode.Disposable.from(
    changed,
    proposals.onChange(() => changed.fire()),
    // VS Code asks again by itself when the proposal is edited, not when the file beside it is.
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
  const { uri } = proposal;
  const { l10n } = vscode;
  return [
    lens(0, { title: `$(check) ${l10n.t("Accept")}`, command: lensCommands.accept, arguments: [uri] }),
    lens(0, { title: `$(close) ${l10n.t("Reject")}`, command: lensCommands.reject, arguments: [uri] }),
    lens(0, { title: describe(proposal), command: "" }),
  ];
}

/** A few words about the proposal: `Gemini CLI: +3 −1, 1 of 2 changes kept`. */
function describe({ proposal, original, hunks, isOriginalDirty }: OpenProposal): string {
  const { l10n } = vscode;
  const kept = hunks.filter(({ isKept }) => isKept).length;
  const facts = [
    original.isNewFile ? l10n.t("new file") : undefined,
    countLines(hunks.map(({ hunk }) => hunk)),
    kept > 0 ? l10n.t("{0} of {1} changes kept", kept, hunks.length) : undefined,
    original.note,
  ];
  const text = `${proposal.agent}: ${facts.filter((fact) => fact !== undefined).join(", ")}`;
  return isOriginalDirty ? `${text} $(warning) ${l10n.t("your unsaved edits are not in it")}` : text;
}

function hunkLenses(
  { uri }: OpenProposal,
  { hunk, key, isKept }: MarkedHunk,
  last: number,
): vscode.CodeLens[] {
  const { l10n } = vscode;
  const line = Math.min(rangeOf(hunk).start.line, last);
  const keep = isKept ? `$(pass-filled) ${l10n.t("Kept")}` : `$(pass) ${l10n.t("Keep")}`;
  return [
    lens(line, { title: keep, command: lensCommands.keep, arguments: [uri, key] }),
    lens(line, {
      title: `$(discard) ${l10n.t("Take back")}`,
      command: lensCommands.takeBack,
      arguments: [uri, key],
    }),
  ];
}

const lens = (line: number, command: vscode.Command) =>
  new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);
