/** What can be done with the diff in front, by key or by button. */
export interface DiffCommands {
  goTo(direction: 1 | -1): void;
  /** Keeps the change under the cursor, or no longer. */
  keep(): void;
  revert(): void;
  accept(): void;
  reject(): void;
  toggleUnchanged(): void;
  /** Puts the cursor into the text. */
  enter(): void;
  /** Leads out of the text. */
  leave(): void;
}
