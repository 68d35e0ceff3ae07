import { join } from "node:path";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { companionScript } from "./installed.ts";
import { programInPath } from "./path-to.ts";
import type { Terminal } from "./terminal.ts";

/** A real editor, used as a person uses it. */
export interface Editor {
  /** Where it runs; absent when it opens windows. */
  readonly terminal?: Terminal;
  /** Opens a file of any name. */
  open(path: string): Promise<void>;
  /** Closes the file that is looked at. */
  close(): Promise<void>;
  /** Selects the first occurrence of a plain text in the active file; agents receive it. */
  select(text: string): Promise<void>;
  /** Types text at the end of the first line of the file that is looked at, and does not save it. */
  typeUnsaved(text: string): Promise<void>;
  /** The text of the file that is looked at, unsaved edits included, shows this. */
  shows(text: string): Promise<void>;
  /** Reads the file that is looked at again; absent where the editor does so automatically. */
  readAgain?(): Promise<void>;
  /** Keeps or reverts what an agent wrote in the first line with this text, once that is marked. */
  decideWritten(decision: "Keep" | "Revert", text: string): Promise<void>;
  /** Saves each file with unsaved edits. */
  saveAll(): Promise<void>;
  /** Waits until it says this on its screen, to its user. */
  says(text: string | RegExp): Promise<void>;
  /** Waits for the proposal for a file of this name, and goes to it. */
  proposal(name: string): Promise<EditorProposal>;
  /** Waits until no proposal is open. */
  nothingWaits(): Promise<void>;
  /** Ends it, and everything that it has started, as a crash would. */
  kill(): Promise<void>;
}

/** A proposal that the user looks at. */
export interface EditorProposal {
  /** Replaces a plain text in it. */
  replace(before: string, after: string): Promise<void>;
  accept(): Promise<void>;
  reject(): Promise<void>;
}

/** Another version of an editor than the one that most tests run. */
export interface OtherVersion {
  /** Its program; a script, for an editor that Node runs. */
  readonly program: string;
  /** Variables by which it finds its own files. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its first arguments. */
  readonly args?: readonly string[];
}

/** One kind of editor: how it is installed, started and driven. */
export interface EditorKind<Driven extends Editor = Editor> {
  readonly name: string;
  /** Programs that it needs, by name. */
  readonly needs: Readonly<Record<string, string>>;
  /** For one scenario, in milliseconds; as usual when absent. */
  readonly within?: number;
  start(sandbox: Sandbox, files: readonly string[], other?: OtherVersion): Promise<Driven>;
}

/** The same command for another version. */
export function inVersion<
  Start extends { command: readonly string[]; env: Readonly<Record<string, string>> },
>(start: Start, other: OtherVersion | undefined): Start {
  if (other === undefined) return start;
  const { program, args = [], env } = other;
  return { ...start, command: [program, ...args, ...start.command.slice(1)], env: { ...start.env, ...env } };
}

/** A PATH in which our command is found by its name, as after an installation. */
export async function pathWithCommand(sandbox: Sandbox): Promise<string> {
  await programInPath(sandbox, "ide-companion", [process.execPath, companionScript]);
  return `${join(sandbox.home, "bin")}:${sandbox.env.PATH}`;
}
