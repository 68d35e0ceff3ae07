/** The commands of the active diff, for keys and buttons. */
export interface DiffCommands {
  goTo(direction: 1 | -1): void;
  /** Marks the change at the cursor as viewed, or not; keeps it where an agent has written it. */
  pass(): void;
  /** Marks all changes of the file as viewed, or not. */
  passAll(): void;
  revert(): void;
  /** Comments on the selected lines. */
  comment(): void;
  /** Keeps the file where an agent has written it. */
  accept(): void;
  /** Reverts the file there. */
  reject(): void;
  /** Comments on all of the change. */
  commentOnAll(): void;
  /** Opens the file in the user's editor, at the cursor. */
  open(): void;
  toggleUnchanged(): void;
  /** Moves the focus into the text. */
  enter(): void;
  /** Moves the focus out of the text. */
  leave(): void;
}

/** The search commands of a tab, for keys. */
export interface FindCommands {
  open(): void;
  /** @returns false when the search is not open */
  step(direction: 1 | -1): boolean;
}
