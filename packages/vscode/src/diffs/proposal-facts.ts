import { basename } from "node:path";
import {
  countLines,
  faintDifferences,
  findFaintDifference,
  holdsClash,
  toSentence,
} from "ide-companion/editor-kit";
import { l10n } from "vscode";
import { say } from "../wording.ts";
import { nameOf, tabNameOf } from "../workspace.ts";
import type { OpenProposal } from "./open-proposal.ts";

/** Lines added and removed: `+3 −1`. */
export const sizeOf = ({ hunks }: OpenProposal): string => countLines(hunks.map(({ hunk }) => hunk));

/** What has become of its file since it was proposed. */
export function stateOf({ change: { state }, text }: OpenProposal): string | undefined {
  switch (state) {
    case "merged":
      return l10n.t("with what has changed on disk");
    case "clash":
      return holdsClash(text) ? l10n.t("also changed on disk: choose, then accept") : undefined;
    case "same":
      return l10n.t("the file holds this already");
    case "stale":
      return l10n.t("the file has changed on disk: this cannot be accepted");
    case "current":
      return undefined;
  }
}

/** Lines of the file that are not UTF-8: agents read and write other characters there. */
export function lossOf({ proposal: { base } }: OpenProposal): string | undefined {
  if (base.kind !== "text" || base.exact) return undefined;
  const count = base.text.split(/\r\n?|\n/).filter((line) => line.includes("\uFFFD")).length;
  return count === 1
    ? l10n.t("not UTF-8: accepting replaces 1 line")
    : l10n.t("not UTF-8: accepting replaces {0} lines", count);
}

/** Why its file cannot be compared, if so. */
export function noteOf({ proposal: { base } }: OpenProposal): string | undefined {
  if (base.kind === "binary") return l10n.t("the file on disk is not a text");
  if (base.kind === "too-large") return l10n.t("the file on disk is too large to be compared");
  return base.kind === "unreadable" ? l10n.t("the file on disk cannot be read") : undefined;
}

/** What of it VS Code's diff shows badly, or not at all. */
export function faintDifferenceOf({ proposal: { base }, text }: OpenProposal): string | undefined {
  const difference = base.kind === "text" ? findFaintDifference(base.text, text) : undefined;
  return difference && say(faintDifferences[difference]);
}

/** Why its agent takes no edits, if so. */
export const readOnlyReasonOf = ({ proposal: { readOnlyReason } }: OpenProposal) =>
  readOnlyReason && toSentence(readOnlyReason, say);

/** Of its tab: `shop.ts (Some CLI)`. */
export const titleOf = ({ proposal: { agent, filePath }, needsFolder }: OpenProposal): string =>
  `${needsFolder ? tabNameOf(filePath) : basename(filePath)} (${agent})`;

/** In one line: `src/shop.ts: +3 −1, Some CLI`. */
export const describeProposal = (open: OpenProposal): string =>
  `${nameOf(open.filePath)}: ${sizeOf(open)}, ${open.agent}`;
