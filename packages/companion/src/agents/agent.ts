import type { Socket } from "node:net";
import type { EditorInfo } from "../core/editor.ts";
import type { PathMap } from "../files/path-map.ts";
import type { Host } from "../system/host.ts";
import type { ProcessTable } from "../system/processes/process-table.ts";
import type { CheckedCli, CompanionRecord, Place } from "./doctor/checked-cli.ts";

/** What a discovery file says of its companion, which may be of any make. */
export interface Announcement {
  readonly port: number;
  readonly token?: string | undefined;
  /** Absolute paths. */
  readonly roots: readonly string[];
  readonly ide?: EditorInfo | undefined;
  /** The editor's process, where the content says it. */
  readonly pid?: number | undefined;
  /** The process that serves the port, where the file tells it apart from the editor's. */
  readonly serverPid?: number | undefined;
}

/** What a companion tells an agent about itself: all of that. By the token it knows which agent calls. */
export type Address = { readonly [Key in keyof Announcement]-?: NonNullable<Announcement[Key]> };

/** One discovery file to be written. */
export interface DiscoveryEntry {
  /** Absolute path. */
  readonly path: string;
  /** The folder we own on the way to it, outermost first: made 0700, refused when foreign or a symlink. */
  readonly folders: readonly string[];
  readonly content: Readonly<Record<string, unknown>>;
  /** For a CLI that takes another file in the same place for the companion's end: its content is replaced instead. */
  readonly keepsFile?: true;
}

/** What a discovery file's name says. */
export interface FileName {
  readonly pid?: number;
  readonly port?: number;
}

/** A folder in which discovery files of an agent are found, and how to tell them. */
export interface SweptFolder {
  readonly path: string;
  /** The editor's process id and the port, as far as the file's name holds them; undefined for other files. */
  parseName(name: string): FileName | undefined;
  /** Every file here, of whatever make, is void once the process has ended that it names as `pid`. */
  readonly endsWithPid?: true;
}

/** The same, where the files lead to a port. */
export interface DiscoveryFolder extends SweptFolder {
  /**
   * What a file of this folder says.
   * @throws Error whose message is the end of a sentence for people: `it is not a JSON object`
   */
  read(text: string, name: FileName, host: Host): Announcement | Promise<Announcement>;
}

/** The names of terminal variables, by what they hold of a companion. Absent are those that a CLI does not read. */
export interface AgentVariables {
  readonly port?: string;
  /** Lists the open folders. */
  readonly workspace?: string;
  readonly token?: string;
  /** Of the editor's process. */
  readonly pid?: string;
}

/** How users know an agent CLI. */
export interface AgentIdentity {
  /** As typed after `ide-companion run`. */
  readonly name: string;
  readonly displayName: string;
  /** The executable that `run` starts. */
  readonly command: string;
  /** How to get that executable, as a command to copy. */
  readonly installCommand: string;
  /** What a user types in a CLI that is not connected: its slash command; empty where it has none. */
  readonly connectCommand: string;
}

/**
 * One agent CLI, as users, discovery and the other end of the connection know it.
 * @see docs/reference/contract.md
 */
export interface Agent extends AgentIdentity {
  /** The arguments by which it goes on with its last session of the folder; absent where it has none. */
  readonly resumeArguments?: readonly string[];
  /** What a user does whose CLI waits for a decision about a diff of a companion that was killed; absent where it notices. */
  readonly freedBy?: string;
  /** Where several companions serve its folder, it connects to none unless its terminal names one. */
  readonly choosesNone?: true;
  /** The companion that the CLI's own makers publish for VS Code, by its id: with both, the CLI chooses one. */
  readonly ownExtension?: string;
  /** It shows no diffs, and only asks what the user looks at: from the connect command on, which is typed in every run. */
  readonly contextOnly?: true;
  /** It connects at its start where an open folder is its own, and in a folder below one only by its connect command. */
  readonly startsInRoot?: true;
  discoveryFiles(address: Address, host: Host): readonly DiscoveryEntry[];
  /** None for an agent that uses no port: its companions are found by the files of others. */
  discoveryFolders(host: Host): readonly DiscoveryFolder[];
  /** Our own commands, and no agent CLI. */
  readonly isOwn?: true;
  /** The terminal variables by which it chooses a companion, or does without its file. */
  readonly variables: AgentVariables;
  /** Variables without which the CLI, in a container, would not look for an IDE in that same container. */
  readonly containerEnv?: Readonly<Record<string, string>>;
}

/** An agent and its CLI, as the commands know it. */
export interface AgentWithCli extends Agent {
  /** What the CLI does on its own side; loaded when it is asked for, because no companion needs it. */
  loadCli(): Promise<AgentCli>;
}

/**
 * What the commands know of an agent's CLI: how it is installed, what connects it, and what keeps it from showing
 * diffs in an editor. Facts about somebody else's program, seen with the program itself.
 */
export interface AgentCli extends CheckedCli {
  /**
   * By what it finds companions; absent where that is its agent's discovery files.
   * @param all every agent: a companion may also be found by another one's files
   */
  findRecords?(place: Place, all: readonly Agent[]): Promise<readonly CompanionRecord[]>;
  /** Whether a companion serves this CLI; absent where its files say so. */
  isServedBy?(companion: LiveFinding, host: Host): Promise<boolean>;
  /** What in the user's own settings makes it use an IDE; absent where only a command does. */
  ideSettings?(host: Host): IdeSettings;
  /**
   * Lets this CLI on another machine use a companion of this one; absent where it cannot.
   * @returns undefined where this companion does not serve it
   * @throws Error when no port or socket can be opened
   */
  startRelay?(options: RelayOptions): Promise<Relay | undefined>;
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
  /** By the CLI's own file, or by any where it has none. */
  readonly companion: LiveFinding;
  readonly host: Host;
  /** A private folder of this machine, for sockets, which is removed at the end; undefined where none are shared. */
  readonly folder: string | undefined;
  readonly map: PathMap;
  /** Takes a sentence: the CLI will not find the companion, or only later. */
  readonly onTrouble: (message: string) => void;
}

/** Stands between a companion and CLIs on another machine, and tells each the names that it knows. */
export interface Relay {
  /** Of 127.0.0.1, where the CLIs come by a port. */
  readonly port?: number;
  /**
   * Lets the CLIs there find the companion: once the connection is there, and when folders change.
   * @param roots absolute, as the other machine writes them
   * @throws Error when they do not find it
   */
  announce(far: FarMachine, roots: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Another machine, for as long as one connection to it lasts. Paths have slashes. */
export interface FarMachine {
  /** Where agents look there. */
  readonly host: Host;
  readonly uid: number;
  /** A process there that lives as long as the connection. */
  readonly pid: number;
  /** The ports there that lead to ours. */
  readonly ports: ReadonlyMap<number, number>;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  /** @throws Error when it cannot be made a folder of the user's alone */
  makeFolder(path: string): Promise<void>;
  /** Writes a file that is removed at the end; one that is there is given this content. @throws Error when that fails */
  writeFile(path: string, text: string): Promise<void>;
  /**
   * Lets a socket there, which is removed at the end, lead to one here. It takes the place of any other.
   * @throws Error when it cannot be had
   */
  listen(there: string, here: string): Promise<void>;
  /** @returns undefined where there is no socket */
  connect(there: string): Promise<FarConnection | undefined>;
}

/** Over another machine's socket. */
export interface FarConnection {
  readonly socket: Socket;
  /** Resolves when it is closed: whether nobody has taken it, because nobody serves the socket. */
  readonly refused: Promise<boolean>;
}

/** A discovery file, by whose rules it was found. */
export interface FoundFile {
  /** The agent that reads it. */
  readonly agent: Agent;
  /** Absolute path. */
  readonly file: string;
}

/** The endpoint of a companion that runs. */
export interface LiveFinding extends FoundFile, Announcement {
  readonly result: "live";
  /** The editor's process, as far as the file tells. */
  readonly pid: number | undefined;
  /** When the file was written, in milliseconds since 1970. */
  readonly writtenAt: number;
}
