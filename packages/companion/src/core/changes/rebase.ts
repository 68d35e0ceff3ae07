import { basename } from "node:path";
import { toComparable } from "../../files/comparable-text.ts";
import { fileStampOf } from "../../files/file-stamp.ts";
import { type FileNow, type FileText, readFileNow } from "../../files/file-text.ts";
import { holdsClash, mergeAgain } from "../../files/merge.ts";
import type { Proposal, Rebase } from "../editor.ts";
import type { Notice } from "../sentences.ts";
import type { Change } from "./change.ts";

/** A waiting change against its file as it is now. */
export interface Rebased extends Omit<Rebase, "seen"> {
  readonly now: FileNow;
}

/**
 * Looks whether the file of a change is another one now.
 * @param text of the change as it stands
 * @returns undefined when it is not
 */
export function rebase(change: Change, text: string): Rebased | undefined {
  const { proposal, base } = change;
  if (!change.isFresh && fileStampOf(proposal.filePath) === change.stamp) return undefined;
  const now = readFileNow(proposal.filePath);
  if (isSame(proposal.base, now.file)) {
    // Written with the text that it had.
    change.stamp = now.stamp;
    change.isFresh = now.isFresh;
    return undefined;
  }
  const combined = combine(proposal, base, now.file, text);
  return { now, proposal: toProposal(change, now.file, text, combined), ...combined };
}

/** From now on the change is against its file as it is now. @param seen the text that was rebased */
export function take(change: Change, rebased: Rebased, seen: string): void {
  change.stamp = rebased.now.stamp;
  change.isFresh = rebased.now.isFresh;
  change.state = rebased.state;
  // What cannot be merged, or may come back, is compared with the file of before.
  if (rebased.state !== "stale" && rebased.now.file.kind !== "missing") change.base = rebased.now.file;
  // What the user has typed since is newer.
  const { text } = change;
  change.rebase(rebased.proposal, text === seen ? rebased.text : text);
}

/** Whether a text can be accepted now: the text that comes of it, or why it cannot be. */
export type Acceptable = { readonly text: string; readonly notice?: Notice } | { readonly refusal: Notice };

/** Nothing that stands on disk goes without its user having seen it. */
export function toAcceptable(change: Change, text: string): Acceptable {
  const rebased = rebase(change, text);
  const state = rebased?.state ?? change.state;
  const { agent, filePath } = change.proposal;
  const name = basename(filePath);
  if (state === "stale") return { refusal: { code: "stale", values: [name, agent] } };
  if (state === "clash" && (rebased || holdsClash(text)))
    return { refusal: { code: "clash", values: [name] } };
  if (!rebased) return { text };
  take(change, rebased, text);
  if (rebased.text === text) return { text };
  return { text: rebased.text, notice: { code: "merged", values: [name] } };
}

type Combined = Pick<Rebased, "text" | "state">;

/** @param combined what has become of the text, which its user may have edited */
function toProposal({ proposal, base }: Change, now: FileText, text: string, combined: Combined): Proposal {
  const isEdited = text !== proposal.newContent;
  const own = isEdited ? combine(proposal, base, now, proposal.newContent) : combined;
  const newContent = isEdited && own.state === "clash" ? proposal.newContent : own.text;
  return { ...proposal, base: now, newContent };
}

function combine({ readOnlyReason }: Proposal, base: FileText, now: FileText, text: string): Combined {
  // Of a file that is gone, nobody's lines can be overwritten. Markers of an earlier clash may be left all the same.
  const unclashed = holdsClash(text) ? "clash" : "current";
  if (now.kind === "missing" || isSame(base, now)) return { text, state: unclashed };
  if (now.kind !== "text") return { text, state: "stale" };
  const onDisk = toComparable(now.text, text).text;
  if (onDisk === text) return { text, state: "same" };
  if (readOnlyReason !== undefined || !(base.kind === "text" || base.kind === "missing"))
    return { text, state: "stale" };
  const merged = mergeAgain(base.kind === "text" ? toComparable(base.text, text).text : "", onDisk, text);
  if (merged.kind === "clash") return { text: merged.text, state: "clash" };
  return { text: merged.text, state: merged.text === text ? "current" : "merged" };
}

function isSame(one: FileText, other: FileText): boolean {
  if (one.kind === "text" && other.kind === "text")
    return one.exact && other.exact && one.text === other.text;
  return one.kind === other.kind && one.kind === "missing";
}
