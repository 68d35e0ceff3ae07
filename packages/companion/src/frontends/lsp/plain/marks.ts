import { basename } from "node:path";
import {
  type CodeAction,
  CodeActionKind,
  type CodeLens,
  type Diagnostic,
  DiagnosticSeverity,
  type Position,
  type Range,
  type ServerCapabilities,
  TextDocumentSyncKind,
  type WorkspaceEdit,
} from "vscode-languageserver";
import { countLines, type Hunk } from "../../../core/hunks.ts";
import { toSentence } from "../../../core/sentences.ts";
import type { Question } from "../../../editors/editor-record.ts";
import { safeName, safeText } from "../../../files/safe-text.ts";
import type { Client } from "../client.ts";
import { rangeOf, revert, touches, withoutEnd } from "./hunks.ts";
import type { ReviewedProposal } from "./reviewed-proposal.ts";

/** Replaced lines that a hint quotes; more would fill the screen. */
const maxQuoted = 12;

const top: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/**
 * One hint a change, where it stands.
 * @param isSilent where a message would cover the text: a hover has it then
 */
export function toDiagnostics(
  { hunks, original, proposal, facts }: ReviewedProposal,
  isSilent = false,
): Diagnostic[] {
  const mark = (range: Range, message: string) => hint(range, isSilent ? "" : message);
  const { readOnlyReason } = proposal;
  const readOnly = readOnlyReason ? [toSentence(readOnlyReason)] : [];
  const loss = facts.length > 0 ? [facts.join(", ")] : [];
  const known = [...loss, ...original.notes, ...readOnly].map((fact) => mark(top, safeText(fact)));
  const changes = hunks.map((hunk, index) =>
    mark(rangeOf(hunk), `${describeHunk(hunk, index, hunks)}${quote(hunk)}`),
  );
  return original.text === null ? known : [...known, ...changes];
}

/** Kate draws nothing where a range has no character, as where lines are missing. */
const visible = ({ start, end }: Range): Range =>
  start.line === end.line && start.character === end.character
    ? { start, end: { line: end.line, character: end.character + 1 } }
    : { start, end };

export const hint = (range: Range, message: string): Diagnostic => ({
  range: visible(range),
  severity: DiagnosticSeverity.Hint,
  source: "ide-companion",
  message,
});

/** Which change a place is in, and what it replaces, as Markdown; undefined between changes. */
export function toHoverText(
  {
    hunks,
    original,
  }: { readonly hunks: readonly Hunk[]; readonly original: { readonly text: string | null } },
  position: Position,
): string | undefined {
  const index = hunks.findIndex((hunk) => touches(hunk, { start: position, end: position }));
  const hunk = hunks[index];
  if (original.text === null || !hunk) return undefined;
  const title = describeHunk(hunk, index, hunks);
  if (hunk.removed.length === 0) return title;
  const lines = quotedLines(hunk).map((line) => `-${line}`);
  // A fence that no line of the text ends.
  const fence = "`".repeat(Math.max(3, 1 + longestTicks(lines)));
  return [`${title}, instead of:`, `${fence}diff`, ...lines, fence].join("\n");
}

function describeHunk(hunk: Hunk, index: number, hunks: readonly Hunk[]): string {
  return `Change ${index + 1} of ${hunks.length}, ${countLines([hunk])}`;
}

const longestTicks = (lines: readonly string[]): number =>
  lines.reduce((most, line) => Math.max(most, ...(line.match(/`+/g) ?? []).map(({ length }) => length)), 0);

/** The choices, above the first line and above each change. */
export function toLenses({ proposal, hunks, revertible }: ReviewedProposal): CodeLens[] {
  const lens = (range: Range, title: string, command: string, ...rest: unknown[]) => ({
    range,
    command: { title, command, arguments: [proposal.id, ...rest] },
  });
  return [
    lens(top, `Accept ${countLines(hunks)}`, commands.accept),
    lens(top, "Reject", commands.reject),
    ...revertible.map((hunk) => lens(startOf(hunk), "Revert this change", commands.revert, hunk.line)),
  ];
}

/** The same choices as actions at a place in the proposal. */
export function toActions(reviewed: ReviewedProposal, range: Range): CodeAction[] {
  const { proposal, revertible, facts } = reviewed;
  const choice = (title: string, command: string) =>
    toAction(title, CodeActionKind.QuickFix, command, proposal.id);
  const here = revertible.filter((hunk) => touches(hunk, range));
  return [
    choice([`Accept the change of ${proposal.agent}`, ...facts].join(", "), commands.accept),
    choice(`Reject the change of ${proposal.agent}`, commands.reject),
    ...here.map((hunk) => ({
      title: "Revert this change",
      kind: CodeActionKind.QuickFix,
      edit: toWorkspaceEdit(reviewed, hunk),
    })),
  ];
}

/** What leads to proposals that wait, from other documents. */
export function toShowActions(waiting: readonly ReviewedProposal[]): CodeAction[] {
  return waiting.map(({ proposal: { id, agent, filePath, opensOneDiff } }) => {
    const waits = opensOneDiff ? ", for which it waits" : "";
    const title = `Show the change of ${agent} to ${safeName(basename(filePath))}${waits}`;
    return toAction(title, ownKind, commands.show, id);
  });
}

/** An action that is a command. */
export function toAction(title: string, kind: string, command: string, ...args: unknown[]): CodeAction {
  return { title, kind, command: { title, command, arguments: args } };
}

/** The edit of the proposal's document that takes a change back. */
export function toWorkspaceEdit({ uri }: Pick<ReviewedProposal, "uri">, hunk: Hunk): WorkspaceEdit {
  return { changes: { [uri]: [revert(hunk)] } };
}

function startOf(hunk: Hunk): Range {
  const { start } = rangeOf(hunk);
  return { start, end: start };
}

/** What a change replaces, for a hint. */
export function quote(hunk: Hunk): string {
  return hunk.removed.length === 0 ? "" : [", instead of:", ...quotedLines(hunk)].join("\n");
}

function quotedLines({ removed }: Hunk): readonly string[] {
  const lines = removed.slice(0, maxQuoted).map((line) => safeLine(withoutEnd(line)));
  const more = removed.length - lines.length;
  return [...lines, ...(more > 0 ? [`… and ${more} more lines`] : [])];
}

/** An editor in a terminal may print a hint as it is. */
const safeLine = (line: string) => line.split("\t").map(safeText).join("\t");

/** Just what makes an editor tell us where its user is, and what the user decides by. */
export function toCapabilities({ unwanted = [] }: Pick<Client, "unwanted">): ServerCapabilities {
  const wants = (question: Question) => !unwanted.includes(question);
  return {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, ownKind] },
    codeLensProvider: {},
    executeCommandProvider: { commands: Object.values(commands) },
    ...(wants("hover") && { hoverProvider: true }),
    ...(wants("signatureHelp") && { signatureHelpProvider: {} }),
    ...(wants("documentHighlight") && { documentHighlightProvider: true }),
    ...(wants("selectionRange") && { selectionRangeProvider: true }),
    ...(wants("inlayHint") && { inlayHintProvider: true }),
  };
}

/** Of actions in the user's files: no fix, and nothing that happens on saving. */
export const ownKind = `${CodeActionKind.Source}.ide-companion`;

/** As editors with a command picker show them. */
export const commands = {
  accept: "ide-companion.accept",
  reject: "ide-companion.reject",
  revert: "ide-companion.revert",
  show: "ide-companion.show",
  keepWritten: "ide-companion.keepWritten",
  revertWritten: "ide-companion.revertWritten",
  keepTurn: "ide-companion.keepTurn",
  revertTurn: "ide-companion.revertTurn",
  showWritten: "ide-companion.showWritten",
  shareSelection: "ide-companion.shareSelection",
  status: "ide-companion.status",
  pause: "ide-companion.pause",
  resume: "ide-companion.resume",
  openPage: "ide-companion.openPage",
  reviewBefore: "ide-companion.reviewBefore",
  reviewAfter: "ide-companion.reviewAfter",
  reviewOff: "ide-companion.reviewOff",
  listEdits: "ide-companion.edits",
  listComments: "ide-companion.comments",
  listHistory: "ide-companion.history",
  act: "ide-companion.act",
} as const;

/** By the name of a command: what it does. A sentence that it returns, or throws, is for the user. */
export type Commands = Readonly<Record<string, (given: readonly unknown[]) => unknown>>;
