import type { Host } from "../../system/host.ts";
import type { Finding } from "./finding.ts";

/** Where a CLI is started. */
export interface Place {
  /** With the variables that the CLI adds from files. */
  readonly host: Host;
  /** Absolute path of the folder that it is started in. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  /** The file that each added variable is from, absolute. */
  readonly sources?: Readonly<Record<string, string>>;
  /** Ids of the processes above, nearest first. */
  readonly lineage?: readonly number[];
}

/** What a CLI's settings decide on IDE mode and diffs. */
export type SettingsFindings = Readonly<
  Partial<Record<"settings" | "ide-mode" | "approval" | "diffs" | "hooks" | "sandbox", Finding>>
>;

/** By what a CLI finds a companion. */
export interface CompanionRecord {
  /** Absolute path of a file; or the variable or socket that leads to the companion. */
  readonly source: string;
  readonly isFile: boolean;
  /** The editor's name for people; absent where the record does not name its editor. */
  readonly ide?: string | undefined;
  /** Absolute paths of the open folders; undefined where nobody can tell. */
  readonly roots?: readonly string[] | undefined;
  readonly port?: number | undefined;
  /** The editor's process. */
  readonly pid?: number | undefined;
  /** The process that serves the CLI. */
  readonly serverPid?: number | undefined;
  /** Why the CLI passes the record over, as the end of a sentence for people. */
  readonly fault?: string | undefined;
  /** Speaks with the companion as the CLI would, and leaves before a user sees it. */
  ask(): Promise<Answer>;
}

/** What a companion did when it was spoken to. */
export interface Answer {
  readonly kind:
    | "taken"
    /** It does not take what the record holds: the record is an old one. */
    | "refused"
    /** It takes connections, and says nothing. */
    | "silent"
    /** Nobody listens, or another program does. */
    | "nowhere"
    /** It answers, and not where a CLI in a container looks. */
    | "unseen"
    /** It cannot be asked without a change to the machine. */
    | "unknown";
  /** What was seen, for people; never a token. */
  readonly evidence: string;
  /** What to do, where that is something special. */
  readonly remedy?: string | undefined;
  /** The names of its tools; absent where the CLI has no such list. */
  readonly tools?: readonly string[];
  /** Whether the editor trusts the folder; absent where it does not say. */
  readonly isTrusted?: boolean | undefined;
}

/** What `doctor` has to know of one CLI. Facts about somebody else's program, as of the known version. */
export interface CheckedCli {
  /** Its npm package. */
  readonly packageName: string;
  /** The version that all that we know of it was found with. */
  readonly knownVersion: string;
  /** The oldest version that connects in any terminal. */
  readonly oldestVersion: string;
  /** Versions before that one are known not to connect. */
  readonly needsOldest?: true;
  /** Terminal variables that say something of its IDE, besides those that name a companion. */
  readonly variables: readonly string[];
  /** Variables that move the folders in which it looks for companions. */
  readonly folderVariables: readonly string[];
  /** The variable that names a program which the CLI starts as its companion. */
  readonly programVariable?: string;
  /** It goes on to the next companion where one does not answer. */
  readonly triesAll?: true;
  /** It looks for an IDE only at its start, unless it knows its terminal or has found one then. */
  readonly looksOnce?: true;
  /** Arguments with which a running CLI shows no diffs, and what to say of such a process. */
  readonly runModes?: readonly (readonly [argument: RegExp, meaning: string])[];
  /** What its settings decide. */
  checkSettings(place: Place, version: string | undefined): SettingsFindings;
  /** The variables that it adds to its terminal's from files. */
  loadEnvironment?(place: Place): LoadedEnvironment;
  /** Why it passes over the record of a companion that has its folder open; for people. */
  whyPassedOver?(record: Omit<CompanionRecord, "ask">, place: Place): string | undefined;
  /** Speaks with a companion at a port; absent where it speaks MCP over HTTP. */
  ask?(port: number, token: string | undefined, place: Place): Promise<Answer>;
  /** The names of the machine under which it looks for a companion; absent for 127.0.0.1 alone. */
  hostsOf?(place: Place): readonly string[];
  /** What makes it take a terminal for an IDE's, for a CLI that must know its IDE from there or from a file. */
  terminalSign?(env: Host["env"]): string | undefined;
  /** Whether it trusts the folder; undefined when it does not ask. */
  trusts?(place: Place): FolderTrust | undefined;
}

/** The variables that a CLI has once it has read its files. */
export interface LoadedEnvironment {
  /** The terminal's own variables, and those of the files. */
  readonly env: Host["env"];
  /** The file that each of the others is from, absolute. */
  readonly sources: Readonly<Record<string, string>>;
}

export interface FolderTrust {
  readonly isTrusted: boolean;
  /** Where the CLI has written down which folders its user trusts. */
  readonly file: string;
}
