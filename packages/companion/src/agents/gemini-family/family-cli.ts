import type { EditorInfo } from "../../core/editor.ts";
import type { Variables } from "../../editors/editor-record.ts";
import type { Host } from "../../system/host.ts";
import type { AgentCli } from "../agent.ts";
import type { FoundFile } from "../discovery/found-file.ts";
import type { CliPackage } from "../doctor/program.ts";
import type { IdeInfo } from "./contract/discovery.ts";
import type { LoadedEnvironment } from "./environment.ts";
import type { DiscoveryContent } from "./read-discovery-file.ts";

/**
 * What a CLI of this family does on its side to find its IDE, and which of its settings matter.
 * @see docs/reference/contract.md#2-discovery
 */
export interface FamilyCli extends AgentCli, CliPackage {
  /** Versions before the oldest one, of which `run` starts those from this one on so that they connect. */
  readonly older: {
    readonly from: string;
    /** What must lead to a companion: the process id in a file's name, or also the variable that holds its port. */
    readonly goBy: readonly ("process" | "port")[];
  };
  readonly variables: IdeVariables;
  /** Which IDE it takes itself to be in; undefined: none, and it does not even try to connect. */
  detectIde(terminal: TerminalSigns): DetectedIde | undefined;
  /** Looks for companions as the CLI does, without changing anything. */
  discover(environment: Environment): Promise<Discovered>;
  /** Which of its settings decide on IDE mode and diffs, in the order in which it matters. */
  checkSettings(environment: Environment): readonly SettingsCheck[];
  /** What it adds to its terminal's variables from files, before it looks for an IDE. */
  loadEnvironment(start: Pick<Environment, "host" | "folder" | "platform">): LoadedEnvironment;
  /**
   * Whether its own settings trust the folder; undefined when it does not ask. Where the IDE is of another opinion,
   * the CLI takes no more input and wants to be restarted.
   */
  trusts(environment: Environment): FolderTrust | undefined;
}

export interface FolderTrust {
  readonly isTrusted: boolean;
  /** Where the CLI has written down which folders its user trusts. */
  readonly file: string;
}

/** The names of its environment variables. */
export interface IdeVariables {
  readonly port: string;
  readonly workspace: string;
  readonly token?: string;
  readonly stdioCommand: string;
  /** Holds a JSON array. */
  readonly stdioArgs: string;
}

/** What tells of an IDE. */
export interface TerminalSigns {
  readonly env: Variables;
  /** Command line of the process that was found by walking up; empty when unknown. */
  readonly command: string;
  /** How the IDE calls itself in the discovery file that was chosen. */
  readonly named?: EditorInfo | undefined;
}

/** What a CLI sees of its machine. */
export interface Environment {
  readonly host: Host;
  readonly platform: NodeJS.Platform;
  /** Absolute path of the folder that it is started in. */
  readonly folder: string;
  /** The process that it takes for the IDE's. */
  readonly ideProcess: { readonly pid: number; readonly command: string };
  /** Whether `/.dockerenv` or `/run/.containerenv` exists. */
  readonly inContainer: boolean;
  /** Our user's id; null on Windows. */
  readonly uid: number | null;
  isAlive(pid: number): boolean;
  /** The files from which some of the host's variables are, by their names. */
  readonly envSources?: Readonly<Record<string, string>>;
}

/** A discovery file as one CLI sees it. */
export interface JudgedFile {
  readonly found: FoundFile;
  /** It goes by this one; it would go by it if it had not found a better one; or it cannot use it. */
  readonly result: "chosen" | "fits" | "refused";
  /** For people, the end of a sentence: `its roots do not hold this folder`. */
  readonly reason: string;
  /** Absent when it is not readable or no JSON object. */
  readonly content?: DiscoveryContent;
}

/** Whether the CLI's folder is one that the IDE has open. */
export type WorkspaceCheck =
  | { readonly result: "inside" | "outside"; readonly roots: readonly string[]; readonly source: string }
  /** No folder is open in the IDE. */
  | { readonly result: "none-open"; readonly source: string }
  /** Neither a file nor a variable tells. */
  | { readonly result: "untold" };

/** One endpoint of a companion that the CLI would try. */
export type Endpoint = HttpEndpoint | StdioEndpoint;

/** A companion that listens on a port. */
export interface HttpEndpoint {
  readonly kind: "http";
  /** Tried one after the other. */
  readonly hosts: readonly string[];
  readonly port: number;
  readonly token: string | undefined;
  /** The file or variable that led to it, for people. */
  readonly source: string;
}

/** A companion whose program the CLI starts, and that it speaks with over standard input and output. */
export interface StdioEndpoint {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly source: string;
}

/** Everything that a search has brought to light. */
export interface Discovered {
  /** Every discovery file it opens, in the order in which it would prefer them. */
  readonly files: readonly JudgedFile[];
  readonly chosen: JudgedFile | undefined;
  readonly ide: DetectedIde | undefined;
  readonly workspace: WorkspaceCheck;
  /** The names by which it reaches a companion over HTTP, tried one after the other. */
  readonly hosts: readonly string[];
  /** In the order in which it tries them; it tries none without an IDE or outside of the workspace. */
  readonly endpoints: readonly Endpoint[];
}

/** One thing that a CLI's settings decide. */
export interface SettingsCheck {
  readonly id: "settings" | "ide-mode" | "approval" | "sandbox";
  readonly title: string;
  readonly evidence: readonly string[];
  /** The one thing to do, when IDE mode or its diffs fail by it; absent when all is well. */
  readonly remedy?: string;
}

/** An IDE that was recognised, and by what. */
export interface DetectedIde {
  readonly ide: IdeInfo;
  /** For people: `TERM_PROGRAM=vscode`. */
  readonly sign: string;
}

/** A fork of VS Code that calls itself `vscode` in its terminals. */
export const vscodeFork: IdeInfo = { name: "vscodefork", displayName: "IDE" };

/** What stands for an IDE's name and nothing else. */
export const toIdeInfo = ({ name, displayName }: IdeInfo): IdeInfo => ({ name, displayName });
