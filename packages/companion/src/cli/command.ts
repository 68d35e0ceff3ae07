import { agents } from "../agents/agents.ts";
import type { Invocation } from "./invocation.ts";

/** An option of a command, `--name` or `--name VALUE`. */
export interface Option {
  readonly name: string;
  readonly short?: string;
  readonly summary: string;
  /** What stands for the value in the help; absent for a switch. */
  readonly value?: string;
  /** The values that it may have. */
  readonly choices?: readonly string[];
  readonly repeatable?: boolean;
}

/** One entry of the table from which parsing, help and completions come. */
export interface Command {
  /** As typed; empty for what happens without a name. */
  readonly name: string;
  readonly summary: string;
  /** The words that follow the options: as the usage line has them, and how they are completed. */
  readonly words: {
    readonly usage: string;
    readonly completion: "files" | "folders" | "nothing" | readonly string[];
    readonly max: number;
  };
  /** Everything after the first word, and after `--`, belongs to another program. */
  readonly passesOn?: boolean;
  readonly options: readonly Option[];
  /** Paragraphs of the help. */
  readonly details: readonly string[];
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  /** Where they say more than success and failure. */
  readonly exitCodes?: readonly (readonly [code: string, meaning: string])[];
  /** Loaded when it is called: nothing of it must cost the other commands a start. */
  load(): Promise<(invocation: Invocation) => Promise<number>>;
}

/** Of every command. */
export const help: Option = { name: "help", short: "h", summary: "show this help" };

/** As typed after `ide-companion run`. */
export const agentNames = agents.map(({ name }) => name);

/** Of the commands that serve agents. */
export const serving: readonly Option[] = [
  {
    name: "exclude",
    value: "GLOB",
    repeatable: true,
    summary: "keep these files from agents, as in a .gitignore; !GLOB shares them",
  },
  { name: "exclude-git-ignored", summary: "keep files from agents that git ignores" },
  { name: "no-agent-accept", summary: "let no agent accept its own changes: only you decide" },
];
