import { parseArgs } from "node:util";
import type { AgentWithCli } from "../agents/agent.ts";
import { agents } from "../agents/agents.ts";
import { type Arguments, type Command, type Option, UsageError } from "./invocation.ts";

/**
 * Reads a command's arguments by its table entry.
 * @throws UsageError naming the argument that is wrong
 */
export function parseArguments(command: Command, args: readonly string[]): Arguments {
  const [own, passedOn] = command.passesOn ? splitAtFirstWord(command, args) : [args, []];
  // Not strict: its messages explain the parser, ours the command.
  const { tokens } = parseArgs({
    args: [...own],
    options: Object.fromEntries(command.options.map((option) => [option.name, toParserOption(option)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const words: string[] = [];
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind === "option") addOption(command, token, values);
  }
  // As a folder it would be the present one, which is served then.
  if (words.includes(""))
    throw new UsageError("one of the arguments is empty, as of a variable that is not set");
  const { verb, rest, max } = findVerb(command, words, values);
  const extra = rest[max];
  if (extra !== undefined) throw new UsageError(`${extra} is one argument too many`);
  return {
    verb,
    words: rest,
    passedOn,
    has: (option) => values.has(option),
    all: (option) => values.get(option) ?? [],
  };
}

/** @throws UsageError for a verb that there is not, and for an option that is another one's */
function findVerb(
  { name, words, options }: Command,
  given: readonly string[],
  values: ReadonlyMap<string, unknown>,
) {
  if (words.verbs === undefined) return { verb: "", rest: given, max: words.max };
  const all = Object.keys(words.verbs);
  const [verb = all[0] ?? "", ...rest] = given;
  const max = words.verbs[verb];
  if (max === undefined)
    throw new UsageError(`there is no "${name} ${verb}"${suggest(verb, all)}. Use one of: ${all.join(", ")}`);
  for (const { name: option, verbs: owners } of options) {
    if (values.has(option) && owners?.includes(verb) === false)
      throw new UsageError(`--${option} is for ${owners.join(" and ")} alone`);
  }
  return { verb, rest, max };
}

function splitAtFirstWord(
  { options }: Command,
  args: readonly string[],
): [own: readonly string[], passedOn: readonly string[]] {
  const isValue = (index: number) =>
    options.some(({ name, value }) => value !== undefined && args[index - 1] === `--${name}`);
  const first = args.findIndex((arg, index) => !arg.startsWith("-") && !isValue(index));
  if (first < 0) return [args, []];
  const rest = args.slice(first + 1);
  return [args.slice(0, first + 1), rest[0] === "--" ? rest.slice(1) : rest];
}

const toParserOption = ({ value, short }: Option) => ({
  type: value === undefined ? ("boolean" as const) : ("string" as const),
  ...(short !== undefined && { short }),
});

type Token = NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number];
type OptionToken = Extract<Token, { kind: "option" }>;

function addOption(command: Command, token: OptionToken, values: Map<string, string[]>): void {
  const option = command.options.find(({ name }) => name === token.name);
  if (option === undefined) {
    const known = command.options.map(({ name }) => `--${name}`);
    throw new UsageError(`there is no option ${token.rawName}${suggest(token.rawName, known)}`);
  }
  const { name, value, choices, repeatable } = option;
  if (value === undefined && token.value !== undefined) {
    throw new UsageError(`${token.rawName} takes no value, got ${token.value}`);
  }
  if (value !== undefined && token.value === undefined)
    throw new UsageError(`${token.rawName} needs a ${value}`);
  // Without its own value it would take the next option for one, which would have no effect then.
  if (token.inlineValue === false && /^-./.test(token.value ?? "")) {
    throw new UsageError(
      `${token.rawName} needs a ${value}, got ${token.value}. One that begins so is given as --${name}=${token.value}`,
    );
  }
  if (choices && token.value !== undefined && !choices.includes(token.value)) {
    const fitting = suggest(token.value, choices);
    throw new UsageError(
      `${token.rawName} must be one of ${choices.join(", ")}, got ${token.value}${fitting}`,
    );
  }
  if (values.has(name) && value !== undefined && !repeatable) {
    throw new UsageError(`${token.rawName} was given twice`);
  }
  values.set(name, [...(values.get(name) ?? []), token.value ?? ""]);
}

/** `. Did you mean X?` when one of the known words is near to what was typed; else nothing. */
export function suggest(typed: string, known: readonly string[]): string {
  const [nearest] = known
    .map((word) => ({ word, distance: distanceBetween(typed, word) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest === undefined ? "" : `. Did you mean ${nearest.word}?`;
}

/** How many characters must be put in, taken out or replaced to make one word of the other. */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/**
 * The agent that a word of the command line names.
 * @param among those that it may be
 * @throws UsageError when there is none of this name
 */
export function findAgent(name: string, among = agents): AgentWithCli {
  const names = among.map((agent) => agent.name);
  const agent = among.find((candidate) => candidate.name === name);
  if (agent) return agent;
  throw new UsageError(`there is no agent ${name}: known are ${names.join(", ")}${suggest(name, names)}`);
}
