import type { EditorInfo } from "../core/editor.ts";
import type { Host } from "../system/host.ts";
import type { AgentCli } from "./agent-cli.ts";

/** What a companion tells the agents about itself. */
export interface Address {
  readonly port: number;
  /** The token of this agent: it also tells the companion which agent calls. */
  readonly token: string;
  /** Absolute paths. */
  readonly roots: readonly string[];
  readonly ide: EditorInfo;
  /** The editor's process. */
  readonly pid: number;
  /** The process that serves the port; the same as `pid` unless a helper serves it. */
  readonly serverPid: number;
}

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

/** One discovery file to be written. */
export interface DiscoveryEntry {
  /** Absolute path. */
  readonly path: string;
  /** The folder we own on the way to it, outermost first: made 0700, refused when foreign or a symlink. */
  readonly folders: readonly string[];
  readonly content: Readonly<Record<string, unknown>>;
  /** Several companions would use the same name: keep another live one's file. */
  readonly shared?: boolean;
}

/** What a discovery file's name says. */
export interface FileName {
  readonly pid?: number;
  readonly port?: number;
}

/** A folder in which discovery files of an agent are found, and how to tell them. */
export interface DiscoveryFolder {
  readonly path: string;
  /** The editor's process id and the port, as far as the file's name holds them; undefined for other files. */
  parseName(name: string): FileName | undefined;
  /**
   * What a file of this folder says.
   * @throws Error whose message is the end of a sentence for people: `it is not a JSON object`
   */
  read(text: string, name: FileName, host: Host): Announcement | Promise<Announcement>;
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
  /** What a user types in a CLI that is not connected: its slash command. */
  readonly connectCommand: string;
}

/**
 * One agent CLI, as users, discovery and the other end of the connection know it.
 * @see docs/reference/contract.md
 */
export interface Agent extends AgentIdentity {
  /** What a user does whose CLI waits for a decision about a diff of a companion that was killed; absent where it notices. */
  readonly freedBy?: string;
  /** Where several companions serve its folder, it connects to none unless its terminal names one. */
  readonly choosesNone?: true;
  /** The companion that the CLI's own makers publish for VS Code, by its id: with both, the CLI chooses one. */
  readonly ownExtension?: string;
  /** It shows no diffs, and only asks what the user looks at: from the connect command on, which is typed in every run. */
  readonly contextOnly?: true;
  discoveryFiles(address: Address, host: Host): readonly DiscoveryEntry[];
  discoveryFolders(host: Host): readonly DiscoveryFolder[];
  /** The terminal variable that holds the port, by which a CLI chooses between several companions; absent where it has none. */
  readonly portVariable?: string;
  /** The terminal variable that holds the editor's process id, for a CLI that has one. */
  readonly pidVariable?: string;
  /** Whether it can have its IDE over standard input and output, by a command that it starts. */
  readonly startsIde?: boolean;
  /** Variables for the editor's terminals and for `run`. */
  terminalEnv(address: Address, host: Host): Readonly<Record<string, string>>;
  /** Variables without which the CLI, in a container, would not look for an IDE in that same container. */
  readonly containerEnv?: Readonly<Record<string, string>>;
  /** What the CLI does on its own side; loaded when it is asked for, because no companion needs it. */
  loadCli(): Promise<AgentCli>;
}
