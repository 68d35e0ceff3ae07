import type { Host } from "../system/host.ts";
import type { JsonObject } from "../system/json.ts";

/** What an event of a CLI's hooks tells. */
export type HookMeaning = "turn-start" | "before-tool" | "after-tool" | "turn-end" | "session-end";

/** The files that a call of a tool names, as the agent wrote them: absolute, or from the folder of the call. */
export type PathsOf = (input: JsonObject) => readonly string[];

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
    /** Names one call of a tool; absent where no call is named. */
    readonly call?: string;
  };
  /** Absolute path of the file that makes the CLI call us. */
  settingsPath(host: Host): string;
  /** The file is ours alone, and each event's list holds our entry. */
  readonly ownFile?: true;
  /** The entry of an event. */
  toEntry(call: HookCall): JsonObject;
  readonly windowsShell: Shell;
  /** What makes the CLI ask before a tool writes, in every mode, with a diff in the editor that it is connected to. */
  readonly ask?: {
    readonly answer: JsonObject;
    /** Whether a user sits at its terminal: by the variables of the hook, and the command line of the CLI. */
    isAttended(env: Host["env"], command: string): boolean;
  };
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
  /** What a shell is to run. @param event for a CLI that does not say it in its call */
  toLine(shell: Shell, event?: string): string;
  /** The shell of this system. */
  readonly shell: Shell;
}

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
): readonly { readonly event: string; readonly entry: JsonObject }[] {
  const shell = platform === "win32" ? hooks.windowsShell : "sh";
  const toLine: HookCall["toLine"] = (...words) => toHookLine(agent, ...words);
  const tools = [...new Set([...Object.keys(hooks.tools), hooks.shell])].join("|");
  return Object.entries(hooks.events).map(([event, meaning]) => {
    const call = { event, toLine, shell, ...(/tool/.test(meaning) && { tools }) };
    return { event, entry: hooks.toEntry(call) };
  });
}
