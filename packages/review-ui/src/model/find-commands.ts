/** The search of a tab, by key. */
export interface FindCommands {
  open(): void;
  /** @returns false when nothing is searched */
  step(direction: 1 | -1): boolean;
}
