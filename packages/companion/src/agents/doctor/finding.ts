/** What there is to say about one question. */
export interface Finding {
  readonly result:
    | "ok"
    /** Works, and is worth knowing when something else does not. */
    | "note"
    | "failed"
    /** Nothing can be said, as when an earlier step has failed. */
    | "unknown";
  /** What was found, for people; never a token. */
  readonly evidence: readonly string[];
  /** The one thing to do. Every failed step has one, no other has. */
  readonly remedy?: string;
}

/** A question with its answer. */
export interface Step extends Finding {
  /** For programs that read `--json`. */
  readonly id: string;
  /** For people. */
  readonly title: string;
}

export const ok = (...evidence: readonly string[]): Finding => ({ result: "ok", evidence });
export const note = (...evidence: readonly string[]): Finding => ({ result: "note", evidence });
export const unknown = (...evidence: readonly string[]): Finding => ({ result: "unknown", evidence });
export const failed = (remedy: string, ...evidence: readonly string[]): Finding => ({
  result: "failed",
  evidence,
  remedy,
});

/** Whether nothing is wrong, as far as is known. */
export const isSound = (steps: readonly Step[]): boolean => steps.every(({ result }) => result !== "failed");
