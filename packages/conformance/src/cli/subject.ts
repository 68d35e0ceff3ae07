import { statSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path, { join } from "node:path";
import { type Cleanup, createLimits, type Limits, type Subject } from "../run/subject.ts";
import { createEditorCommand } from "../target/editor-hook.ts";
import { findServing } from "../target/folders.ts";
import type { Start, Started, StartOptions } from "../target/process.ts";
import { type Arguments, UsageError } from "./options.ts";

/** There is no companion to check; the message says why. */
export class NoCompanion extends Error {}

/** How the companions of one contract are found and started. */
export interface Opening<Target> {
  /** Whether the arguments name one that runs. */
  readonly isGiven: boolean;
  /** Starts one. @throws Error when it does not come up */
  start(start: Start): Promise<Started<Target>>;
  /** Finds the one that runs. @throws UsageError, NoCompanion */
  find(limits: Limits): Promise<Target>;
}

/**
 * Finds the companion that the arguments name, or starts it.
 * @param cleanup removes what is made for it
 * @throws UsageError, NoCompanion
 */
export async function openSubject<Target extends { readonly roots: readonly string[] }>(
  args: Arguments,
  cleanup: Cleanup,
  { isGiven, start, find }: Opening<Target>,
): Promise<Subject<Target>> {
  const limits = createLimits(toPatience(args));
  // Short: editors put sockets below it, whose paths may have 107 characters.
  const folder = await realpath(await mkdtemp(join(tmpdir(), "conf-")));
  cleanup.later(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const command = args.command.length === 0 ? [] : fromHere(args.command, process.cwd());
  const starts = createStarts((options: StartOptions, signal) =>
    start({ command, folder, within: limits.process, signal, ...options }),
  );
  cleanup.later(starts.close);
  const acting = new AbortController();
  cleanup.later(async () => acting.abort());
  const toSubject = async (target: Target, companion?: Started<Target>): Promise<Subject<Target>> => {
    const perform = toPerform(args, companion, limits, acting.signal);
    const scratch = await makeScratch(target, folder);
    cleanup.later(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));
    return {
      target,
      limits,
      scratch,
      ...(perform && { perform }),
      ...(command.length > 0 && { start: starts.start }),
      ...(companion && { companion }),
    };
  };
  if (isGiven || command.length === 0) return toSubject(await find(limits));
  const started = await startFirst(starts.start);
  return {
    ...(await toSubject(started.target, started)),
    async isolate() {
      const companion = await starts.start({});
      const subject = await toSubject(companion.target, companion);
      return { subject, close: async () => void (await companion.end("SIGTERM")) };
    },
  };
}

/**
 * For companions that have no address to name: nothing but a command or the open folder leads to one.
 * @param finding how the CLI finds its companion: the beginning of a sentence
 * @throws UsageError
 */
export function refuseAddress(args: Arguments, finding: string): void {
  const extra = ["url", "token", "port"].find((name) => args.has(name));
  if (extra !== undefined) throw new UsageError(`${finding} in its own folder, not by --${extra}`);
}

/**
 * The companion that is meant: at a port, or with the current folder open.
 * @param where what was searched for them
 * @throws NoCompanion, UsageError
 */
export async function findOne<Target extends { name: string; port?: number; roots: readonly string[] }>(
  all: readonly Target[],
  port: number | undefined,
  where: string,
): Promise<Target> {
  const here = process.cwd();
  const found = port === undefined ? await findServing(here, all) : all.filter((one) => one.port === port);
  const [only, ...others] = found;
  if (!only) {
    const what = port === undefined ? `has ${here} open` : `is on port ${port}`;
    throw new NoCompanion(`no companion in ${where} ${what}`);
  }
  if (others.length === 0) return only;
  if (only.port === undefined)
    throw new UsageError("several companions serve this folder: close all but one of these editors");
  const list = found.map((one) => `--port ${one.port}  ${one.name}, ${one.roots.join(", ")}`).join("\n  ");
  throw new UsageError(`several companions serve this folder; say which one:\n  ${list}`);
}

/** The port that is named. @throws UsageError for what is none */
export function portOf(args: Arguments): number | undefined {
  const text = args.value("port");
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new UsageError(`--port must be a number from 1 to 65535, got ${text}`);
  return port;
}

/** Longer times would pass the limit of timers, 24 days, and end at once. */
const longest = { patience: 1000, silence: 86_400 } as const;

function toPatience(args: Arguments): { patience: number; silence: number } {
  const number = (name: keyof typeof longest, otherwise: number) => {
    const value = Number(args.value(name) ?? otherwise);
    const most = longest[name];
    if (!(value > 0 && value <= most))
      throw new UsageError(
        `--${name} must be a number above 0, and at most ${most}, got ${args.value(name)}`,
      );
    return value;
  };
  return { patience: number("patience", 1), silence: 1000 * number("silence", 20) };
}

/** Starts companions by a command; `close` ends those that still run, also when the run is interrupted. */
function createStarts<Companion extends Pick<Started<unknown>, "end">>(
  startOne: (options: StartOptions, signal: AbortSignal) => Promise<Companion>,
) {
  const starts: Promise<Companion>[] = [];
  const life = new AbortController();
  return {
    async start(options: StartOptions): Promise<Companion> {
      if (life.signal.aborted) throw new Error("the run is over");
      const starting = startOne(options, life.signal);
      starts.push(starting);
      return starting;
    },
    async close() {
      life.abort();
      const settled = await Promise.allSettled(starts);
      await Promise.all(settled.map((one) => one.status === "fulfilled" && one.value.end("SIGTERM")));
    },
  };
}

/** @throws NoCompanion when it cannot be started */
async function startFirst<Companion>(
  start: (options: StartOptions) => Promise<Companion>,
): Promise<Companion> {
  try {
    return await start({});
  } catch (error) {
    throw new NoCompanion(error instanceof Error ? error.message : String(error));
  }
}

/** Inside an open folder, because some editors show no other files. */
async function makeScratch(
  { roots }: { readonly roots: readonly string[] },
  folder: string,
): Promise<string> {
  const [root] = roots;
  if (root !== undefined) return realpath(await mkdtemp(join(root, "conformance-")));
  const scratch = join(folder, "files");
  await mkdir(scratch);
  return scratch;
}

/** Runs the editor command as a user of this companion. */
function toPerform(
  args: Arguments,
  started: Pick<Started<unknown>, "sandbox" | "env"> | undefined,
  limits: Limits,
  signal: AbortSignal,
) {
  const line = args.value("editor-command");
  if (line === undefined) return undefined;
  const command = fromHere(toWords(line), process.cwd());
  if (command.length === 0) throw new UsageError("--editor-command must not be empty");
  return createEditorCommand(command, {
    cwd: started?.sandbox.workspace ?? process.cwd(),
    env: started?.env ?? process.env,
    within: limits.process,
    signal,
  });
}

/**
 * The words of a command line; a part in single or double quotes is one word, or part of one.
 * @throws Error for a quote that is not closed
 */
export function toWords(line: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*'|["'])+/g)) {
    const parts = word.match(/[^"']+|"[^"]*"|'[^']*'|["']/g) ?? [];
    if (parts.some((part) => part === '"' || part === "'"))
      throw new Error(`a quote is not closed in ${line}`);
    words.push(parts.map((part) => part.replace(/^(["'])(.*)\1$/s, "$2")).join(""));
  }
  return words;
}

/**
 * A command that means the same when it runs in another folder: words that name a file here become absolute.
 * @param words program and arguments; a program without a slash is for PATH to find
 * @param folder the current one
 */
export function fromHere(
  [program = "", ...args]: readonly string[],
  folder: string,
  isFile: (file: string) => boolean = isFileOnDisk,
): string[] {
  const settle = (word: string) => {
    const file = path.resolve(folder, word);
    return word !== "" && isFile(file) ? file : word;
  };
  return [/[\\/]/.test(program) ? settle(program) : program, ...args.map(settle)];
}

function isFileOnDisk(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
