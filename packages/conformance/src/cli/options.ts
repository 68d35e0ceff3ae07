import { agentNames, defaultAgent } from "../agents.ts";

/** One option: its name, the name of its value when it takes one, and what it does. */
interface Option {
  readonly name: string;
  readonly value?: string;
  readonly repeatable?: true;
  readonly about: string;
}

export const options: readonly Option[] = [
  { name: "port", value: "PORT", about: "of the companion to check, when several serve this folder" },
  { name: "url", value: "URL", about: "of a companion without discovery files; needs a token" },
  {
    name: "token",
    value: "TOKEN",
    about: "of that companion; better in IDE_COMPANION_TOKEN, where others do not see it",
  },
  {
    name: "agent",
    value: agentNames.join("|"),
    about: `whose token that is; ${defaultAgent} unless given`,
  },
  { name: "editor-command", value: "COMMAND", about: "does what a user would do in the editor; see below" },
  {
    name: "group",
    value: "GROUP",
    repeatable: true,
    about: "only these: transport, security, discovery, context, diffs, lifecycle",
  },
  { name: "check", value: "CHECK", repeatable: true, about: "only these checks" },
  { name: "isolated", about: "starts a companion of its own for each check: slow, and tells most" },
  { name: "patience", value: "FACTOR", about: "waits longer, for a slow companion or a busy machine" },
  { name: "silence", value: "SECONDS", about: "how long a silent stream is listened to; 20 unless given" },
  {
    name: "baseline",
    value: "FILE",
    about: "of checks that are known to fail; fails when one of them passes",
  },
  { name: "write-baseline", value: "FILE", about: "writes one, of what fails now" },
  { name: "json", value: "FILE", about: "writes the whole report; - for standard output" },
  { name: "junit", value: "FILE", about: "writes it for a build server; - for standard output" },
  { name: "markdown", value: "FILE", about: "writes a table of badges; - for standard output" },
  { name: "strict", about: "a SHOULD that is not kept counts as much as a MUST" },
  { name: "verbose", about: "tells every check, and what went over the wire where one failed" },
  { name: "list", about: "lists all rules and checks, and runs none" },
  { name: "help", about: "this text" },
  { name: "version", about: "the version" },
];

/** What the program was called with. */
export interface Arguments {
  has(option: string): boolean;
  /** Of an option that is given once; undefined when it is not given. */
  value(option: string): string | undefined;
  values(option: string): readonly string[];
  /** Behind `--`: starts a companion. */
  readonly command: readonly string[];
}

/** The program was called wrongly; the message says how. */
export class UsageError extends Error {}

/** @throws UsageError naming the argument that is wrong */
export function parseArguments(args: readonly string[]): Arguments {
  const end = args.indexOf("--");
  const [own, command] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  if (end >= 0 && command.length === 0) throw new UsageError("behind -- there must be a command");
  const values = new Map<string, string[]>();
  for (let index = 0; index < own.length; index += 1) {
    const [, name = "", inline] = /^--([^=]+)(?:=(.*))?$/s.exec(own[index] ?? "") ?? [];
    const option = options.find((known) => known.name === name);
    if (!option)
      throw new UsageError(`there is no option ${own[index]}; a command to start a companion goes behind --`);
    const isLast = index + 1 >= own.length;
    if (option.value !== undefined && inline === undefined && isLast)
      throw new UsageError(`--${name} needs a ${option.value}`);
    if (option.value === undefined && inline !== undefined) throw new UsageError(`--${name} takes no value`);
    if (values.has(name) && !option.repeatable) throw new UsageError(`--${name} was given twice`);
    if (option.value !== undefined && inline === undefined) index += 1;
    values.set(name, [
      ...(values.get(name) ?? []),
      inline ?? (option.value === undefined ? "" : (own[index] ?? "")),
    ]);
  }
  return {
    command,
    has: (option) => values.has(option),
    value: (option) => values.get(option)?.[0],
    values: (option) => values.get(option) ?? [],
  };
}
