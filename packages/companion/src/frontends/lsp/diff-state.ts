import { basename } from "node:path";
import type { DiffState, HideReason } from "../../core/editor.ts";
import { safeText } from "../../files/safe-text.ts";

/** What a user hears of a waiting change whose file has changed: a sentence, a few words, and fewer; none for nothing. */
export function wordsOf(state: DiffState, agent: string, filePath: string): string[] {
  const name = basename(filePath);
  const words: Readonly<Record<DiffState, readonly string[]>> = {
    current: [],
    merged: [
      `${name} has changed on disk: the proposal has these changes too.`,
      "merged with the file as it is now",
      "merged",
    ],
    clash: [
      `${name} has changed on disk in the same lines: choose between the versions, then accept.`,
      "clashes with the file: settle the marked lines",
      "in conflict",
    ],
    same: [`${name} holds the proposed text already.`, "the file holds this already", "on disk already"],
    stale: [
      `${name} has changed on disk, and ${agent} would overwrite that: reject the proposal.`,
      "the file has changed: this would overwrite it",
      "outdated",
    ],
  };
  return words[state].map(safeText);
}

/** Why a change closes that its user has not decided in the editor, in a few words. */
export function whyHidden(reason: HideReason, agent: string): string {
  const words: Readonly<Record<HideReason, string>> = {
    agent: `${agent} has taken this back`,
    replaced: `${agent} has replaced this`,
    "session-ended": `${agent} has ended`,
    decided: `The change of ${agent} is decided on the review page`,
    shutdown: `The companion of ${agent} has ended`,
  };
  return safeText(words[reason]);
}
