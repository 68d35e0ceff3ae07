import type { IdeContext } from "../../packages/companion/src/agents/gemini-family/contract/context.ts";

/** What a CLI has heard of a diff. */
export type CliOutcome =
  | { readonly kind: "accepted"; readonly filePath: string; readonly content: string }
  | { readonly kind: "rejected"; readonly filePath: string };

/** How a call was answered. */
export type Reply =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

export type DiffTool = "acceptDiff" | "rejectDiff";

/** How one connection of a CLI behaves, as its agent's own does. */
export interface Behaviour {
  /** An accepted empty text is not taken. */
  readonly ignoresEmptyText: boolean;
  /** Told that a diff is rejected when its companion ends. */
  readonly outwaitsCompanion: boolean;
  /** A proposal gets the byte order mark that its file has. */
  readonly dropsByteOrderMark: boolean;
}

/** One session of a CLI with a companion. */
export interface CliSession {
  /** As the editor names it. */
  readonly label: string;
  readonly behaviour: Behaviour;
  /** Everything heard so far. */
  readonly outcomes: readonly CliOutcome[];
  /** The newest context. */
  readonly context: IdeContext | undefined;
  readonly isStreaming: boolean;
  /** Comments on the present stream, which keep it open; absent where nobody counts. */
  readonly keepAlives?: number;
  /** Diffs that it still waits for; undefined where nobody counts. */
  readonly waiting: number | undefined;
  open(filePath: string, newContent: string): Promise<Reply>;
  /** The text is the diff's, unwrapped as this agent does. */
  close(filePath: string, suppressNotification: boolean): Promise<Reply>;
  /** Absent where the CLI has no such call. */
  readonly decide?: (tool: DiffTool, filePath: string) => Promise<Reply>;
  /** Breaks the stream; absent where the CLI cannot be made to. */
  readonly drop?: () => Promise<void>;
  /** Hears nothing more on its stream, which nobody at the other end can know; absent as above. */
  readonly stall?: () => void;
  /** Opens a stream as a real CLI does after a break; one that is open is broken first. */
  readonly resume?: () => Promise<void>;
  /** Says goodbye. */
  leave(): Promise<void>;
  /** Is gone without a word. */
  kill(): Promise<void>;
}

/** An agent CLI as it looks from its companion. */
export interface Cli {
  readonly name: string;
  /** @throws Error when there is no companion on this port */
  connect(port: number): Promise<CliSession>;
  /** Idempotent. */
  close(): Promise<void>;
}
