import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { createTwoFilesPatch } from "diff";
import type { Paint } from "../../core/paint.ts";
import { isInside } from "../../files/workspace-path.ts";
import { exitCodes, type Invocation, type Output, printResult, UsageError } from "../invocation.ts";

/** What a command does with its first word. @typeParam Subject what all of them are about */
export type Action<Subject> = (subject: Subject, invocation: Invocation) => number | Promise<number>;

/** Does what the user wants of the verbs of a command. */
export const act = <Subject>(
  actions: Readonly<Record<string, Action<Subject>>>,
  subject: Subject,
  invocation: Invocation,
) => actions[invocation.arguments.verb]?.(subject, invocation) ?? exitCodes.usage;

/** One record in a list. */
interface Row {
  readonly id: string;
  readonly title: string;
  /** What else there is to say of it: painted lines. */
  readonly about: readonly string[];
}

/**
 * Lists records, and what a user can do with one.
 * @param none a sentence for a list of nothing
 * @param hints what that is, and the command for it
 */
export function printRecords(
  json: unknown,
  rows: readonly Row[],
  none: string,
  hints: readonly (readonly [what: string, command: string])[],
  invocation: Invocation,
): number {
  const { cyan, bold } = invocation.out.paint;
  const lines = rows.flatMap(({ id, title, about }) => [
    `${cyan(id)}  ${bold(title)}`,
    ...about.map((line) => `          ${line}`),
  ]);
  const ends = hints.map(([what, command]) => `${what}: ${bold(command)}`);
  return printResult(invocation, json, () => (rows.length === 0 ? [none] : [...lines, "", ...ends]));
}

/** How records are called in sentences for people. */
export interface Wording {
  /** As in `recovered edits`. */
  readonly what: string;
  /** Lists them. */
  readonly command: string;
}

/**
 * What a user means by the beginning of an id.
 * @param start undefined means the only one there is
 * @throws UsageError when it means none, or more than one
 */
export function chooseRecord<T extends { readonly id: string }>(
  all: readonly T[],
  start: string | undefined,
  { what, command }: Wording,
): T {
  const fitting = start === undefined ? all : all.filter(({ id }) => id.startsWith(start));
  const [only, other] = fitting;
  if (only && other === undefined) return only;
  if (all.length === 0) throw new UsageError(`there are no ${what}`);
  if (start === undefined) throw new UsageError(`there are ${all.length} ${what}: name one by its id`);
  throw new UsageError(
    only === undefined
      ? `there are no ${what} ${start}. "${command}" lists those that there are`
      : `${start} is the beginning of ${fitting.length} ids: ${fitting.map(({ id }) => id).join(", ")}`,
  );
}

/**
 * The whole of the record that a user means.
 * @throws UsageError when it means none, or more than one
 */
export function readChosen<T>(
  store: {
    list(): readonly { readonly id: string }[];
    read(id: string): T | undefined;
  },
  { arguments: given }: Invocation,
  wording: Wording,
): T {
  const { id } = chooseRecord(store.list(), given.words[0], wording);
  const found = store.read(id);
  if (found === undefined) throw new UsageError(`there are no ${wording.what} ${id}`);
  return found;
}

/** Forgets those that are named, or all of them. @throws UsageError when it means none, or more than one */
export function discardRecords(
  store: {
    list(): readonly { readonly id: string; readonly filePath: string }[];
    discard(id: string): void;
  },
  wording: Wording,
  invocation: Invocation,
): number {
  const { arguments: given, out } = invocation;
  const { words: ids } = given;
  if (given.has("all") && ids.length > 0)
    throw new UsageError("--all discards everything: name no id with it");
  const all = store.list();
  const chosen = given.has("all")
    ? all
    : (ids.length === 0 ? [undefined] : ids).map((id) => chooseRecord(all, id, wording));
  for (const { id } of chosen) store.discard(id);
  return printResult(invocation, { discarded: chosen.map(({ id }) => id) }, () =>
    chosen.map(({ id, filePath }) => `discarded: ${id}  ${out.paint.plain(filePath)}`),
  );
}

/** A text on a terminal, which nothing in it may steer; everything else gets its bytes at once, and no lines. */
export function linesOfText(text: string, out: Output): readonly string[] {
  if (out.isTerminal) return text.split("\n").map((line) => withTabs(line, out.paint.plain));
  process.stdout.write(text);
  return [];
}

/** @throws UsageError when something other than a regular file is there */
export function readIfThere(file: string): Buffer | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // Reading from a pipe waits for a writer.
  if (!stats.isFile()) throw new UsageError(`${file} is not a regular file: name another one`);
  return readFileSync(file);
}

/** A unified diff; a text that is undefined is that of no file. */
export function toPatch(
  file: string,
  before: string | undefined,
  after: string | undefined,
  [old, fresh]: readonly [string, string],
): string {
  const nameOf = (text: string | undefined) => (text === undefined ? "/dev/null" : file);
  const options = { timeout: 2000 };
  const texts = [before ?? "", after ?? "", old, fresh] as const;
  const patch = createTwoFilesPatch(nameOf(before), nameOf(after), ...texts, options);
  return patch ?? "The texts differ too much to be compared line by line.\n";
}

/** A file's name in a patch for a folder; its absolute path where it lies outside of it. */
export const nameIn = (folder: string, file: string): string =>
  (isInside(file, folder) ? path.relative(folder, file) : file).split(path.sep).join("/");

/** @param patch a unified diff */
export function describeDifference(patch: string, paint: Paint): readonly string[] {
  if (patch === "") return ["The file holds this text."];
  return patch
    .trimEnd()
    .split("\n")
    .map((line) => {
      if (line.startsWith("+")) return withTabs(line, paint.green);
      if (line.startsWith("-")) return withTabs(line, paint.red);
      return line.startsWith("@") ? paint.cyan(line) : withTabs(line, paint.plain);
    });
}

/** A tab is part of a text, and steers no terminal. */
const withTabs = (line: string, style: (text: string) => string) => line.split("\t").map(style).join("\t");
