import { basename } from "node:path";
import type { DiffState } from "../../core/editor.ts";
import { safeText } from "../../files/safe-text.ts";

/** What a user hears of a waiting change whose file has changed; undefined when there is nothing to say. */
export function describeState(state: DiffState, agent: string, filePath: string): string | undefined {
  const name = basename(filePath);
  const sentences: Readonly<Partial<Record<DiffState, string>>> = {
    merged: `${name} has changed on disk: the proposal has these changes too.`,
    clash: `${name} has changed on disk in the same lines: choose between the versions, then accept.`,
    same: `${name} holds the proposed text already.`,
    stale: `${name} has changed on disk, and ${agent} would overwrite that: reject the proposal.`,
  };
  const sentence = sentences[state];
  return sentence === undefined ? undefined : safeText(sentence);
}
