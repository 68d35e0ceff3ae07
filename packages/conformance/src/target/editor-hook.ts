import { spawn } from "node:child_process";
import { Broken, NotRun } from "../contracts/check.ts";
import { ending, killAll } from "./process.ts";

/** The editor command failed. */
export class EditorFailed extends Broken {}

/**
 * Does one thing in the editor, as its user would.
 * @returns what it printed
 * @throws NotRun when this editor cannot do it; EditorFailed when it went wrong
 */
export type Perform = (action: string, args: readonly string[]) => Promise<string>;

export type EditorHook = ReturnType<typeof createEditorHook>;

export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

/**
 * Everything that a check needs the user to do in the editor, done by the editor command.
 * Lines and columns count from 1, a column in UTF-16 units.
 */
export function createEditorHook(perform: Perform) {
  const act = async (action: string, ...args: (string | number)[]) => {
    await perform(action, args.map(String));
  };
  return {
    /** Opens a file, or goes to it, and puts the cursor there. */
    open: (file: string, line: number, column: number) => act("open", file, line, column),
    /** Selects from one position up to another, exclusively. */
    select: (file: string, from: FilePosition, to: FilePosition) =>
      act("select", file, from.line, from.column, to.line, to.column),
    /** Closes a file; or the view of its diff, without a decision, when one is shown. */
    close: (path: string) => act("close", path),
    accept: (path: string) => act("accept", path),
    reject: (path: string) => act("reject", path),
    /** Replaces the whole proposed text of an open diff. */
    edit: (path: string, text: string) => act("edit", path, text),
    /** Moves the cursor of an open file down from line to line, one each 20 ms. */
    sweep: (file: string, first: number, last: number) => act("sweep", file, first, last),
    /** Whether a diff of this file is shown. */
    async shows(path: string) {
      const answer = (await perform("shows", [path])).trim();
      if (answer === "yes" || answer === "no") return answer === "yes";
      throw new EditorFailed(
        `the editor command must print yes or no for "shows", got ${JSON.stringify(answer)}`,
      );
    },
    /** Opens one more folder. */
    folder: (path: string) => act("folder", path),
    /** Puts lines of a file into an agent's prompt. */
    mention: (file: string, first: number, last: number) => act("mention", file, first, last),
    /** The variables of a terminal in the editor. */
    async environment(): Promise<ReadonlyMap<string, string>> {
      const lines = (await perform("environment", [])).split("\n");
      return new Map(lines.flatMap((line) => toVariable(line)));
    },
    /** Says when agents are reviewed in a folder. */
    review: (folder: string, mode: "before" | "after") => act("review", folder, mode),
    /** What agents have written into a file without asking: a unified diff. */
    written: (file: string) => perform("written", [file]),
    /** Reverts that. */
    revert: (file: string) => act("revert", file),
  };
}

function toVariable(line: string): [string, string][] {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(line) ?? [];
  return name === undefined || value === undefined ? [] : [[name, value]];
}

/** The exit code that says: this editor cannot do that. */
const cannot = 3;

/** How a program is called. */
export interface Call {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds that it may take. */
  readonly within: number;
  /** Ends what runs. */
  readonly signal?: AbortSignal | undefined;
  /** For its standard input. */
  readonly input?: string;
}

/** Runs a program for each action: `COMMAND open FILE LINE COLUMN`. */
export function createEditorCommand(command: readonly string[], call: Call): Perform {
  return async (action, args) => {
    const { stdout, stderr, how, isStopped } = await runToEnd([...command, action, ...args], call);
    if (how === 0 && !isStopped) return stdout;
    const said = stderr.trim() === "" ? "" : `: ${stderr.trim()}`;
    if (how === cannot) throw new NotRun(`the editor command cannot do "${action}"${said}`);
    const fault = isStopped ? `did not end within ${call.within / 1000} s` : `failed (${how})`;
    throw new EditorFailed(`the editor command "${action}" ${fault}${said}`);
  };
}

/** Characters of each output. */
const mostPrinted = 1024 * 1024;

/** Runs a program, which is killed with all that it has started when its time is over. */
export function runToEnd(
  [program = "", ...args]: readonly string[],
  { cwd, env, within, signal, input }: Call,
) {
  const child = spawn(program, args, { cwd, env, stdio: "pipe", detached: ending.hasGroups });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      if (printed[name].length < mostPrinted) printed[name] += text;
    });
  }
  child.stdin.on("error", () => {}); // it reads no more
  if (input !== undefined) child.stdin.end(input);
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    // A program outside of the group may hold the other ends for as long as it likes.
    for (const stream of child.stdio) stream?.destroy();
    if (child.pid !== undefined) void killAll(child.pid);
  };
  const late = setTimeout(stop, within);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  return new Promise<{ stdout: string; stderr: string; how: unknown; isStopped: boolean }>((resolve) => {
    const done = (how: unknown) => {
      clearTimeout(late);
      signal?.removeEventListener("abort", stop);
      resolve({ ...printed, how, isStopped });
    };
    child.once("error", (error: NodeJS.ErrnoException) => done(error.code));
    child.once("close", (code, killedBy) => done(code ?? killedBy));
  });
}
