import { agents, hookedAgents } from "../agents/agents.ts";
import type { Paint } from "../core/paint.ts";
import type { Host } from "../system/host.ts";

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

/** What a command was called with. */
export interface Arguments {
  /** Which of the command's verbs is meant; empty where it has none. */
  readonly verb: string;
  /** What follows it. */
  readonly words: readonly string[];
  /** What another program is to be called with. */
  readonly passedOn: readonly string[];
  has(option: string): boolean;
  /** All values of an option, in their order. */
  all(option: string): readonly string[];
}

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
  /** The only verbs that take it; absent where all do. */
  readonly verbs?: readonly string[];
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
    /** What the first word may be, and how many others may follow each; what comes first here is meant without a word. */
    readonly verbs?: Readonly<Record<string, number>>;
  };
  /** Everything after the first word, and after `--`, belongs to another program. */
  readonly passesOn?: boolean;
  readonly options: readonly Option[];
  /** Paragraphs of the help. */
  readonly details?: readonly string[];
  readonly examples?: readonly (readonly [command: string, meaning: string])[];
  /** Where they say more than success and failure. */
  readonly exitCodes?: readonly (readonly [code: string, meaning: string])[];
  /** Loaded when it is called: nothing of it must cost the other commands a start. */
  load(): Promise<(invocation: Invocation) => Promise<number>>;
}

/** What an option does, and with which verbs. */
export const summaryOf = ({ verbs, summary }: Option): string =>
  verbs === undefined ? summary : `${verbs.join(", ")}: ${summary}`;

/** The words of a command on records. @param others what may follow its verb, in the usage line */
export function verbs(all: Readonly<Record<string, number>>, others: string): Command["words"] {
  const completion = Object.keys(all);
  // Six would not fit into 80 columns; the details name the others.
  const shown = completion.length > 5 ? [...completion.slice(0, 4), "…"] : completion;
  return { usage: `[${shown.join("|")}] ${others}`, completion, max: Number.POSITIVE_INFINITY, verbs: all };
}

/** The result of a command: as JSON for programs, or line by line for people. */
export function printResult(
  { arguments: given, out }: Invocation,
  json: unknown,
  toLines: () => Iterable<string>,
): number {
  if (given.has("json")) out.line(JSON.stringify(json, null, 2));
  else for (const line of toLines()) out.line(line);
  return exitCodes.ok;
}

/** As typed after `ide-companion run`. */
export const agentNames = agents.map(({ name }) => name);

/** Of those whose hooks call us. */
export const hookedNames = hookedAgents.map(({ name }) => name);

/** Which agents a command is about. */
export const agentOption = (summary: string, choices: readonly string[] = agentNames): Option => ({
  name: "agent",
  value: "NAME",
  choices,
  repeatable: true,
  summary,
});

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
