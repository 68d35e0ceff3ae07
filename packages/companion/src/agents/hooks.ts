import type { Host } from "../system/host.ts";
import type { JsonObject } from "../system/json.ts";

/** What an event of a CLI's hooks tells: `asks` is a question in its terminal, about a tool that wants to write. */
export type HookMeaning = "turn-start" | "before-tool" | "asks" | "after-tool" | "turn-end" | "session-end";

/** The files that a call of a tool names, as the agent wrote them: absolute, or from the folder of the call. */
export type PathsOf = (input: JsonObject) => readonly string[];

/** A CLI that runs. */
export interface RunningCli {
  readonly pid: number;
  readonly command: string;
  /** It reads from a terminal and writes to one, as far as the system tells. */
  readonly hasTerminal: boolean;
}

/** How the call of a tool waits while its user decides about each file. */
export interface Hold {
  /** Seconds after which it goes on as if nobody had asked. */
  readonly seconds: number;
  /** For a CLI that may have no connection: the name of its program. */
  readonly program?: string;
  /**
   * Does in a folder what the call will do.
   * @param names of the files, as the agent wrote them: the folder has copies of those that there are, by their numbers
   * @throws Error when the call will fail, or nobody knows
   */
  attempt(input: JsonObject, names: readonly string[], folder: string): void;
  /** @param reason is what the agent reads */
  deny(reason: string): JsonObject;
  /**
   * Lets a call of one file write another text; where it takes none, or not exactly, we write it.
   * @param lineEnd of the file: both texts have line feeds alone
   */
  change?(input: JsonObject, before: string, text: string, lineEnd: string): JsonObject | undefined;
  /** Answers the question in the terminal, once the user has accepted in the editor. */
  readonly permit?: JsonObject;
  /** What the user reads in the terminal meanwhile, where that can be said. */
  toProgress?(text: string): JsonObject;
}

/** By an answer that makes the CLI ask, with a diff in the editor that it is connected to; or we hold its call. */
export type Asking = (
  | {
      readonly answer: JsonObject;
      /** What a hook next to the question answers in the user's place; absent where none is called. */
      deny?(message: string): JsonObject;
    }
  | { readonly hold: Hold }
) & {
  /**
   * Whether a user sees what it says, and is not asked in any case.
   * @param env of the hook @param mode as the CLI names it
   */
  isAttended(cli: RunningCli, env: Host["env"], mode?: string): boolean;
};

/** Who runs the line that calls us. */
export type Shell = "sh" | "cmd" | "powershell";

/** How an agent's CLI calls hooks, as seen with the program itself. */
export interface AgentHooks {
  /** By the CLI's own names, in the order in which they are set up. */
  readonly events: Readonly<Record<string, HookMeaning>>;
  /** The tools that write files, by the CLI's own names. */
  readonly tools: Readonly<Record<string, PathsOf>>;
  /** The tool that runs commands, by the CLI's own name. */
  readonly shell: string;
  /** The fields of a call. */
  readonly fields: {
    readonly session: string;
    /** Absent where no call names its turn. */
    readonly turn?: string;
    /** Only a call with a text in it begins a turn. */
    readonly prompt: string;
    readonly tool: string;
    readonly input: string;
    /** The same in a call for a question, where that is another. */
    readonly asked?: string;
    /** Names one call of a tool; absent where no call is named. */
    readonly call?: string;
  };
  /** Absolute path of the file that makes the CLI call us. */
  settingsPath(host: Host): string;
  /** The text of the file, where it is ours alone; absent where each event's list there holds our entry. */
  toOwnFile?(entries: readonly HookEntry[]): string;
  /** The entry of an event. */
  toEntry(call: HookCall): JsonObject;
  readonly windowsShell: Shell;
  /** What makes its user decide before a tool writes, in every mode, by a diff in the editor. */
  readonly ask: Asking;
  /** How a call of this event is answered so that the agent gets a text; undefined where it takes none. */
  toContext?(event: string): ((text: string) => JsonObject) | undefined;
  /** What the user has to do then: a sentence. */
  readonly next?: string;
}

/** What an entry in a CLI's settings has to say. */
export interface HookCall {
  readonly event: string;
  /** Names of tools with bars between them; absent for an event of no tool. */
  readonly tools?: string;
  /** How long we may take: we wait for nobody, or for a user. */
  readonly seconds: number;
  /** What a shell is to run. @param event for a CLI that does not say it in its call */
  toLine(shell: Shell, event?: string): string;
  /** The shell of this system. */
  readonly shell: Shell;
}

/** The entry of an event in an agent's settings. */
export interface HookEntry {
  readonly event: string;
  readonly entry: JsonObject;
}

const day = 24 * 3600;

/** Seconds that a hook of ours may take besides. */
const hookSeconds = 10;

const silence = { sh: "2>/dev/null || exit 0", cmd: "2>nul || exit 0", powershell: "2>$null; exit 0" };

/**
 * The line by which an agent's CLI calls us. It is the same in all versions, because a user may have trusted it. Where
 * this program, or Node, is gone, it ends as if there were no hook: some CLIs write nothing any more otherwise.
 */
export const toHookLine = (agent: string, shell: Shell, event?: string): string =>
  ["ide-companion hook", agent, ...(event === undefined ? [] : [event]), silence[shell]].join(" ");

/** The entry of each event in an agent's settings. */
export function toHookEntries(
  agent: string,
  hooks: AgentHooks,
  platform: NodeJS.Platform,
): readonly HookEntry[] {
  const shell = platform === "win32" ? hooks.windowsShell : "sh";
  const toLine: HookCall["toLine"] = (...words) => toHookLine(agent, ...words);
  const writing = Object.keys(hooks.tools);
  const all = [...new Set([...writing, hooks.shell])].join("|");
  const { ask } = hooks;
  const waiting: Partial<Record<HookMeaning, number>> =
    "hold" in ask ? { "before-tool": ask.hold.seconds } : { asks: day };
  return Object.entries(hooks.events).map(([event, meaning]) => {
    const tools = meaning === "asks" ? writing.join("|") : /tool/.test(meaning) ? all : undefined;
    const seconds = hookSeconds + (waiting[meaning] ?? 0);
    const call = { event, toLine, shell, seconds, ...(tools !== undefined && { tools }) };
    return { event, entry: hooks.toEntry(call) };
  });
}
