/** What a window's companion is about, as people are told. */
export interface Status {
  /** Why there is none. */
  readonly failure?: string;
  readonly isPaused: boolean;
  /** Names of the connected agents, oldest first. */
  readonly agents: readonly string[];
  /** Changes that wait for a decision. */
  readonly waiting: number;
}

/** How the texts of the status are said in the user's language. */
export interface StatusWords {
  readonly none: string;
  readonly failed: string;
  readonly paused: string;
  readonly waiting: (count: number) => string;
}

/** The text in the status bar, with VS Code's icons; what asks for the user's attention comes first. */
export function toStatusText({ failure, isPaused, agents, waiting }: Status, words: StatusWords): string {
  if (failure !== undefined) return `$(error) ${words.failed}`;
  const paused = `$(eye-closed) ${words.paused}`;
  if (waiting > 0) return `$(diff) ${words.waiting(waiting)}${isPaused ? ` ${paused}` : ""}`;
  if (isPaused) return paused;
  if (agents.length === 0) return `$(plug) ${words.none}`;
  // An icon in a name would be one.
  return `$(plug) ${agents.join(", ").replaceAll("$(", "\\$(")}`;
}
