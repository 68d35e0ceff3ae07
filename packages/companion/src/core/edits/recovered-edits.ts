/** A text that the user typed in a proposal, and that its file does not hold. */
export interface RecoveredEdits {
  /** Eight hexadecimal digits. */
  readonly id: string;
  /** Exactly as the agent sent it. */
  readonly filePath: string;
  /** The proposing agent's name for people. */
  readonly agent: string;
  /** When it was typed, in milliseconds since 1970. */
  readonly at: number;
  /** Why the file does not hold it: a sentence for the user. */
  readonly reason: string;
  /** What the agent had proposed. */
  readonly proposed: string;
  /** The whole text, with what the user typed. */
  readonly text: string;
}

/** Recovered edits in a list. */
export type RecoveredEditsSummary = Omit<RecoveredEdits, "proposed" | "text">;

/** The recovered edits of this user, from every companion. */
export interface Edits {
  /** Newest first, without those whose file holds their text by now. */
  list(): readonly RecoveredEditsSummary[];
  read(id: string): RecoveredEdits | undefined;
  /** Forgets them for good. @returns false when there are none of this id */
  discard(id: string): boolean;
  /** @throws Error when the disk does not take them */
  add(edits: Omit<RecoveredEdits, "id" | "at">): RecoveredEdits;
}

/** The edits of a frontend that no companion uses yet. */
export const noEdits: Omit<Edits, "add"> = {
  list: () => [],
  read: () => undefined,
  discard: () => false,
};
