/** How a proposal ended; `$1` is its agent. */
export const outcomes = {
  accepted: "accepted",
  "accepted-edited": "accepted with your edits",
  "accepted-ahead": "accepted ahead",
  "accepted-ahead-edited": "accepted ahead with your edits",
  // What an agent accepts itself, the companion has written for it.
  "accepted-by-agent": "accepted and written by $1",
  "accepted-by-agent-edited": "accepted and written by $1 with your edits",
  rejected: "rejected",
  "rejected-by-agent": "rejected by $1",
  "closed: agent": "decided in the terminal",
  "closed: replaced": "replaced by a newer proposal",
  "closed: session-ended": "its CLI went away",
  "closed: shutdown": "the companion stopped",
} as const;

/** What became of the file after an acceptance. */
export const fileResults = {
  written: "written",
  "not-written": "not written to the file",
  overwritten: "overwritten",
} as const;

/** What the user has done with a change since, in its file. */
export const laters = { undone: "undone", reapplied: "accepted after all" } as const;

/** What alone two texts differ in where a diff shows that badly. */
export const faintDifferences = {
  none: "no difference",
  "line-ends": "only line ends",
  "byte-order-mark": "only the byte order mark",
  "last-newline": "only the last newline",
  "white-space": "only white space",
} as const;

/** Why a file does not hold what the user typed, or an agent has not received comments; `$1` is the agent. */
export const reasons = {
  agent: "$1 closed the change, as when you decide in its terminal.",
  replaced: "$1 replaced the change with a newer one.",
  "session-ended": "$1 ended before you decided.",
  shutdown: "The companion stopped before you decided.",
  "companion-ended": "The companion ended before you decided.",
  "editor-ended": "The editor ended before you decided.",
  "companion-restarted": "The companion was restarted before you decided.",
  "accepted-unseen": "The change was accepted, and the companion ended before the file held your text.",
  "comments-unseen": "The companion ended before the agent had your comments.",
  "rejected-by-agent": "$1 rejected its change itself.",
  "rejected-read-only": "You rejected the change. Its agent could not take your edits.",
  "not-shown": "The editor could not show the change any more.",
  late: "You typed this after the change was decided.",
  "own-version": "$1 wrote its own text. Look at yours, and apply it if you want it.",
  overwritten: "You accepted the change, and the file holds another text.",
  "not-written": "You accepted the change, and $1 did not write it to the file.",
  "not-sent": "You decided without sending your comments.",
  unreached: "The prompt of $1 could not be reached.",
} as const;

/** Why a past change cannot be taken out of its file, or put into it. */
export const rewriteTroubles = {
  "not-accepted": "This change was not accepted: there is nothing to undo.",
  "no-texts": "The history does not hold the texts of this change.",
  "no-file": "The file is not there any more.",
  "not-text": "The file on disk is not a text.",
  "mixed-line-endings": "The file mixes line endings: undo it by hand.",
  "mixed-line-endings-reapply": "The file mixes line endings: put the change into it by hand.",
  "changed-since": "The file has changed since in the same places: undo it by hand.",
  "changed-since-reapply": "The file has changed since in the same places: put the change into it by hand.",
  "made-and-changed": "The change made this file, and it has changed since: undoing would delete all of it.",
  "file-exists": "There is such a file by now: put the change into it by hand.",
} as const;

/** Why nothing is to be seen of what an agent has written but the fact. */
export const withheld = {
  secret: "changed; its text is not kept, as it is kept from agents",
  large: "changed; its text is not kept, as it has more than 4 MB",
  "no-file": "changed; it was no file that can be read",
  "no-room": "changed; there was no room for its text",
  unknown: "changed; what it was before is not known",
  unseen: "a shell command ran; what it changed here could not be recorded",
} as const;

/** Why what an agent has written cannot be taken out of its file. */
export const revertTroubles = {
  "changed-since":
    "it has changed since in the same lines. Take it back by hand, or what was written later first.",
  "not-kept": "the text from before is not kept.",
  "written-since": "the agent made or deleted this file, and you have written it since.",
  "changed-in-buffer": "you have changed the same lines, and not saved them.",
} as const;

/** When a user looks at what an agent writes. */
export const reviewModeMeanings = {
  before: "asks you in your editor before it writes",
  after: "writes, and you look at that afterwards",
  off: "writes, and nothing is recorded",
} as const;

/** What a user reads of a decision. */
export const notices = {
  decided: "This change has already been decided elsewhere.",
  "decided-text-kept":
    "This change has already been decided elsewhere. Your text is among the recovered edits.",
  "earlier-run":
    "This companion does not know the change: it belongs to an earlier run. Copy your text if you need it.",
  "text-changed": "The text has changed elsewhere in this moment. Look at it once more, then accept it.",
  "agent-decides": "Its agent is deciding this change at this moment.",
  "not-passed-on": "The decision could not be passed on: $1",
  /** `$1` writes `$2`. */
  "being-written": "$1 is writing $2 at this moment. Accept this change of it once it is there.",
  /** `$1` is a file, `$2` the agent. */
  stale:
    "$1 has changed on disk, and $2 would overwrite that. Reject the change, and ask $2 to read the file again.",
  clash:
    "$1 has changed on disk in the same lines. The change shows both versions: choose between them, then accept.",
  merged: "Accepted together with what has changed in $1 meanwhile.",
  /** `$1` is the agent. */
  "waits-for-this": "$1 waits for this before it shows another.",
  "takes-no-edits": "$1 takes no edits: it writes its own text.",
  "edits-not-taken":
    "$1 takes no edits: it writes its own text. Undo your edits and accept, or reject the change and tell $1 in its terminal what to change: your edits can be recovered.",
  "empty-text":
    "$1 does not take an empty text: it would write its own proposal instead. Reject the change, then empty the file yourself.",
  "empty-new-file":
    "$1 does not make an empty file: it would take this for a rejection. Reject the change, then make the file yourself.",
} as const;

export type OutcomeCode = keyof typeof outcomes;
export type ReasonCode = keyof typeof reasons;
export type RewriteTrouble = keyof typeof rewriteTroubles;
export type RevertTrouble = keyof typeof revertTroubles;

/** What a user reads of a decision: a code, and what stands in its sentence. */
export interface Notice {
  readonly code: keyof typeof notices;
  readonly values?: readonly string[];
}

/** Puts a sentence into the language of its user, with values for `$1`, `$2`. */
export type Say = (sentence: string, ...values: readonly string[]) => string;

/** For terminals, logs and editors that know no other language. */
export const inEnglish: Say = (sentence, ...values) =>
  sentence.replaceAll(/\$(\d)/g, (parameter, number) => values[Number(number) - 1] ?? parameter);

export const toSentence = ({ code, values = [] }: Notice, say = inEnglish) => say(notices[code], ...values);

/** The outcome of a change, and what has become of its file since. */
export function describeOutcome(
  decision: {
    readonly agent: string;
    readonly code: OutcomeCode;
    readonly fileResult?: keyof typeof fileResults;
    readonly later?: keyof typeof laters;
  },
  say = inEnglish,
): string {
  const { code, agent, fileResult, later } = decision;
  const news = [fileResult && say(fileResults[fileResult]), later && say(laters[later])];
  return [say(outcomes[code], agent), ...news].filter(Boolean).join(", ");
}

const isReason = (reason: string): reason is ReasonCode => Object.hasOwn(reasons, reason);

/** Why recovered edits or comments wait. The record of an older version holds the sentence itself. */
export const explainReason = (
  { reason, agent }: { readonly reason: string; readonly agent: string },
  say = inEnglish,
): string => say(isReason(reason) ? reasons[reason] : reason, agent);
