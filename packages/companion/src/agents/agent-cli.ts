import type { PathMap } from "../files/path-map.ts";
import type { Host } from "../system/host.ts";
import type { ProcessTable } from "../system/processes/process-table.ts";
import type { Agent } from "./agent.ts";
import type { LiveFinding } from "./discovery/find-companions.ts";
import type { Step } from "./doctor/step.ts";

/**
 * What the commands know of an agent's CLI: how it is installed, what connects it, and what keeps it from showing
 * diffs in an editor. Facts about somebody else's program, seen with the program itself.
 */
export interface AgentCli {
  /** Its npm package. */
  readonly packageName: string;
  /** Variables that move the folders in which it looks for companions. */
  readonly folderVariables: readonly string[];
  /**
   * Takes every step from this CLI to its editor, in its order. Changes nothing.
   * @param all every agent: a companion may also be found by another one's files
   */
  diagnose(agent: Agent, terminal: Terminal, all: readonly Agent[]): Promise<Diagnosis>;
  /** What in the user's own settings makes it use an IDE; absent where only a command does. */
  ideSettings?(host: Host): IdeSettings;
  /**
   * What else a version needs that is about to be started here; absent where the terminal variables are enough.
   * @returns removes what was written
   * @throws FolderError, or Error of the file system, when it cannot be written
   */
  prepareRun?(finding: LiveFinding, host: Host): Promise<() => void>;
  /**
   * Lets this CLI on another machine use a companion of this one; absent where it cannot.
   * @throws Error when no port can be opened
   */
  startRelay?(options: RelayOptions): Promise<Relay>;
}

/** Where a CLI is started. */
export interface Terminal {
  readonly host: Host;
  /** Absolute path of the folder that the CLI is started in. */
  readonly folder: string;
  /** Where the walk up the processes begins: this one, unless given. */
  readonly pid?: number;
  readonly platform?: NodeJS.Platform;
  readonly processes?: ProcessTable;
}

/** What keeps one CLI from its editor, or that nothing does. */
export interface Diagnosis {
  /** In the order in which the CLI takes them. */
  readonly steps: readonly Step[];
  /** The name for people of the editor that it would connect to. */
  readonly ide: string;
}

/** Values of a settings file. */
export interface IdeSettings {
  /** Absolute path of the file. */
  readonly path: string;
  readonly values: readonly {
    readonly key: readonly string[];
    readonly value: string | boolean;
    /** What the user has decided counts. */
    readonly unlessSet?: boolean;
  }[];
  /** What else to do, as sentences for people. */
  readonly next?: readonly string[];
}

/** A companion, and how files of it are called on another machine. */
export interface RelayOptions {
  /** Where the companion listens. */
  readonly port: number;
  readonly map: PathMap;
}

/** Stands between a companion and agents on another machine, and tells each the names that it knows. */
export interface Relay {
  /** Of 127.0.0.1. */
  readonly port: number;
  /** The port by which the agents come, once it is known: the companion must not know it. */
  farPort: number | undefined;
  close(): Promise<void>;
}
