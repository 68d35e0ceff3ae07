import {
  type CodeAction,
  CodeActionKind,
  type CodeLens,
  type Diagnostic,
  DiagnosticSeverity,
  type Range,
  type WorkspaceEdit,
} from "vscode-languageserver";
import { safeText } from "../../../safe-text.ts";
import { commands } from "./command-names.ts";
import { countLines, type Hunk, rangeOf, takeBack, touches, withoutEnd } from "./hunks.ts";
import type { ReviewedProposal } from "./reviewed-proposal.ts";

/** Replaced lines that a hint quotes; more would fill the screen. */
const maxQuoted = 12;

const top: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** One hint a change, where it stands. */
export function toDiagnostics({ hunks, original }: ReviewedProposal): Diagnostic[] {
  const severity = DiagnosticSeverity.Hint;
  const source = "ide-companion";
  if (original.text === null) return [{ range: top, severity, source, message: "This is a new file." }];
  return hunks.map((hunk, index) => ({
    range: rangeOf(hunk),
    severity,
    source,
    message: `Change ${index + 1} of ${hunks.length}, ${countLines([hunk])}${quote(hunk)}`,
  }));
}

/** The choices, above the first line and above each change. */
export function toLenses({ proposal, hunks, original }: ReviewedProposal): CodeLens[] {
  const lens = (range: Range, title: string, command: string, ...rest: unknown[]) => ({
    range,
    command: { title, command, arguments: [proposal.id, ...rest] },
  });
  const changes = original.text === null ? [] : hunks;
  return [
    lens(top, `Accept ${countLines(hunks)}`, commands.accept),
    lens(top, "Reject", commands.reject),
    ...changes.map((hunk) => lens(startOf(hunk), "Take back this change", commands.takeBack, hunk.line)),
  ];
}

/** The same choices as actions at a place in the proposal. */
export function toActions(reviewed: ReviewedProposal, range: Range): CodeAction[] {
  const { proposal, hunks, original } = reviewed;
  const choice = (title: string, command: string): CodeAction => ({
    title,
    kind: CodeActionKind.QuickFix,
    command: { title, command, arguments: [proposal.id] },
  });
  const here = original.text === null ? [] : hunks.filter((hunk) => touches(hunk, range));
  return [
    choice(`Accept the change of ${proposal.agent}`, commands.accept),
    choice(`Reject the change of ${proposal.agent}`, commands.reject),
    ...here.map((hunk) => ({
      title: "Take back this change",
      kind: CodeActionKind.QuickFix,
      edit: toWorkspaceEdit(reviewed, hunk),
    })),
  ];
}

/** The edit of the proposal's document that takes a change back. */
export function toWorkspaceEdit({ uri }: Pick<ReviewedProposal, "uri">, hunk: Hunk): WorkspaceEdit {
  return { changes: { [uri]: [takeBack(hunk)] } };
}

function startOf(hunk: Hunk): Range {
  const { start } = rangeOf(hunk);
  return { start, end: start };
}

function quote({ removed }: Hunk): string {
  if (removed.length === 0) return "";
  const lines = removed.slice(0, maxQuoted).map((line) => safeLine(withoutEnd(line)));
  const more = removed.length - lines.length;
  return [", instead of:", ...lines, ...(more > 0 ? [`… and ${more} more lines`] : [])].join("\n");
}

/** An editor in a terminal may print a hint as it is. */
const safeLine = (line: string) => line.split("\t").map(safeText).join("\t");
