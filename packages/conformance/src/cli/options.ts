import { agentChoices, defaultAgent } from "../agents.ts";

/** One option: its name, the name of its value when it takes one, and what it does. */
interface Option {
  readonly name: string;
  readonly value?: string;
  readonly repeatable?: true;
  readonly about: string;
}

export const options: readonly Option[] = [
  { name: "port", value: "PORT", about: "the companion to check, if several serve this folder" },
  { name: "url", value: "URL", about: "a companion without discovery files" },
  {
    name: "token",
    value: "TOKEN",
    about: "its token; better in IDE_COMPANION_TOKEN, which other users cannot see",
  },
  {
    name: "agent",
    value: agentChoices.join("|"),
    about: `the agent whose contract is checked, and to which the token belongs; default ${defaultAgent}`,
  },
  { name: "hook", value: "COMMAND", about: "the program that CLIs call as their hook, with --agent hooks" },
  { name: "editor-command", value: "COMMAND", about: "does what a user would do in the editor; see below" },
  {
    name: "group",
    value: "GROUP",
    repeatable: true,
    about: "only these, such as discovery or diffs; --list shows them",
  },
  { name: "check", value: "CHECK", repeatable: true, about: "only these checks" },
  { name: "patience", value: "FACTOR", about: "waits longer, for a slow companion or a busy machine" },
  { name: "silence", value: "SECONDS", about: "how long to listen to a silent stream; default 20" },
  { name: "json", value: "FILE", about: "writes the whole report; - for standard output" },
  { name: "strict", about: "a broken SHOULD or MAY counts as much as a MUST" },
  { name: "verbose", about: "shows every check, and what went over the wire if it failed" },
  { name: "list", about: "lists all rules and checks, and runs none" },
  { name: "help", about: "this text" },
  { name: "version", about: "the version" },
];

/** What the program was called with. */
export interface Arguments {
  has(option: string): boolean;
  /** The value of an option that may be given once; undefined when it is absent. */
  value(option: string): string | undefined;
  values(option: string): readonly string[];
  /** The words after `--`, which start a companion. */
  readonly command: readonly string[];
}

/** Wrong usage; the message says what is wrong. */
export class UsageError extends Error {}

/** @throws UsageError naming the argument that is wrong */
export function parseArguments(args: readonly string[]): Arguments {
  const end = args.indexOf("--");
  const [own, command] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  if (end >= 0 && command.length === 0) throw new UsageError("a command must follow --");
  const values = new Map<string, string[]>();
  for (let index = 0; index < own.length; index += 1) {
    const [, name = "", inline] = /^--([^=]+)(?:=(.*))?$/s.exec(own[index] ?? "") ?? [];
    const option = options.find((known) => known.name === name);
    if (!option)
      throw new UsageError(
        `there is no option ${own[index]}; a command that starts a companion goes after --`,
      );
    const value = inline ?? own[index + 1];
    // A forgotten value would swallow the next option; one that begins like an option can be given after "=".
    const isForgotten = !value || (inline === undefined && value.startsWith("--"));
    if (option.value !== undefined && isForgotten) throw new UsageError(`--${name} needs a ${option.value}`);
    if (option.value === undefined && inline !== undefined) throw new UsageError(`--${name} takes no value`);
    if (values.has(name) && !option.repeatable) throw new UsageError(`--${name} was given twice`);
    if (option.value !== undefined && inline === undefined) index += 1;
    values.set(name, [...(values.get(name) ?? []), option.value === undefined ? "" : (value ?? "")]);
  }
  return {
    command,
    has: (option) => values.has(option),
    value: (option) => values.get(option)?.[0],
    values: (option) => values.get(option) ?? [],
  };
}
