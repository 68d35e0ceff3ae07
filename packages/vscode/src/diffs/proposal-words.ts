import { countLines } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import type { OpenProposal } from "./open-proposal.ts";

/** Its file as the user knows it: relative to the folder that is open. */
export const nameOf = ({ proposal }: OpenProposal): string =>
  vscode.workspace.asRelativePath(proposal.filePath);

/** Lines added and removed: `+3 −1`. */
export const sizeOf = ({ hunks }: OpenProposal): string => countLines(hunks.map(({ hunk }) => hunk));

/** In one line: `src/shop.ts: +3 −1, Some CLI`. */
export const describeProposal = (open: OpenProposal): string =>
  `${nameOf(open)}: ${sizeOf(open)}, ${open.proposal.agent}`;
