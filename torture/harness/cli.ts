import type { IdeContext } from "../../packages/companion/src/agents/gemini-family/contract/context.ts";

/** An outcome that a CLI has received. */
export type CliOutcome =
  | { readonly kind: "accepted"; readonly filePath: string; readonly content: string }
  | { readonly kind: "rejected"; readonly filePath: string };

/** How a call was answered. */
export type Reply =
  | { readonly ok: true /** Absent where the agent is sent none. */; readonly text?: string }
  | { readonly ok: false; readonly reason: string };

export type DiffTool = "acceptDiff" | "rejectDiff";

/** How one connection of a CLI behaves. */
export interface Behaviour {
  /** It ignores an accepted empty text. */
  readonly ignoresEmptyText: boolean;
  /** It receives a rejection of each open diff when its companion ends. */
  readonly outwaitsCompanion: boolean;
  /** A proposal gets the byte order mark that its file has. */
  readonly dropsByteOrderMark: boolean;
  /** It writes its own text, whatever the user types. */
  readonly takesNoEdits: boolean;
  /** A call of it waits for each decision: who hangs up takes its diffs away. */
  readonly holdsCalls: boolean;
}

/** Of an agent that has read the contract. */
export const usual: Behaviour = {
  ignoresEmptyText: false,
  outwaitsCompanion: false,
  dropsByteOrderMark: false,
  takesNoEdits: false,
  holdsCalls: false,
};

/** One session of a CLI with a companion. */
export interface CliSession {
  /** As the editor names it. */
  readonly label: string;
  readonly behaviour: Behaviour;
  /** Everything received so far. */
  readonly outcomes: readonly CliOutcome[];
  /** The newest context; absent where it is not followed. */
  readonly context?: IdeContext | undefined;
  readonly isStreaming: boolean;
  /** Diffs that it still waits for; undefined where they are not counted. */
  readonly waiting: number | undefined;
  open(filePath: string, newContent: string): Promise<Reply>;
  /** The text is the diff's, unwrapped as this agent does. */
  close(filePath: string, suppressNotification: boolean): Promise<Reply>;
  /** Absent where the CLI has no such call. */
  readonly decide?: (tool: DiffTool, filePath: string) => Promise<Reply>;
  /** Breaks the stream; absent where the CLI cannot be made to. */
  readonly drop?: () => Promise<void>;
  /** Stops reading its stream, which the other side cannot know; absent as above. */
  readonly stall?: () => void;
  /** Opens a stream as a real CLI does after a break; one that is open is broken first. */
  readonly resume?: () => Promise<void>;
  /** Ends the session with DELETE. */
  leave(): Promise<void>;
  /** Ends as if the process was killed. */
  kill(): Promise<void>;
}

/** An agent CLI as its companion sees it. */
export interface Cli {
  readonly name: string;
  /** @throws Error when there is no companion on this port */
  connect(port: number): Promise<CliSession>;
  /** Idempotent. */
  close(): Promise<void>;
}
