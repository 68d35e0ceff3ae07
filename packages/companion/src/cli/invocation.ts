import type { Host } from "../system/host.ts";
import type { Arguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import type { Paint } from "./terminal/paint.ts";

/** One call of a command: what it was given and where it may write. */
export interface Invocation {
  readonly arguments: Arguments;
  /** All that there are. */
  readonly commands: readonly Command[];
  readonly host: Host;
  /** Absolute path of the folder it was called in. */
  readonly folder: string;
  /** Absolute path of the folder in which the running program lies. */
  readonly program: string;
  readonly out: Output;
  /** For errors and warnings. */
  readonly err: Output;
}

/** One end of the terminal, or of what stands in for it. */
export interface Output {
  readonly paint: Paint;
  readonly isTerminal: boolean;
  /** Writes a line; its dynamic parts have been through `paint`. */
  line(text?: string): void;
}

/** What ends a process. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** As shells have it. */
  notFound: 127,
  /** Added to the number of the signal that ended it. */
  signal: 128,
} as const;

/** The user's call was wrong; the message says how, and the command ends with `exitCodes.usage`. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
