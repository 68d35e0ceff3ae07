import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeAll, expect, inject, onTestFinished } from "vitest";
import { eventually } from "../../../testkit/src/eventually.ts";
import { privateFolder } from "../../../testkit/src/private-folder.ts";

let executable = "";

export interface ExecutableOptions {
  /** The tests change the folder that it lies in. */
  readonly isChanged?: boolean;
}

/** The executable as it is shipped, for all tests of a file. */
export function useExecutable({ isChanged = false }: ExecutableOptions = {}): void {
  beforeAll(() => {
    executable = inject("executable");
    if (!isChanged) return;
    const copy = mkdtempSync(path.join(os.tmpdir(), "ide-companion-copy-"));
    cpSync(path.dirname(executable), copy, { recursive: true });
    executable = path.join(copy, path.basename(executable));
    return () => rmSync(copy, { recursive: true, force: true });
  });
}

/** Where it is. */
export const executablePath = (): string => executable;

/** A machine of the test's own: home, temporary folder, a project, and programs in `bin`. */
export function createSandbox() {
  const folder = privateFolder();
  const make = (name: string) => {
    const made = path.join(folder, name);
    mkdirSync(made);
    return made;
  };
  const [home, tmp, app, bin] = [make("home"), make("tmp"), make("app"), make("bin")] as const;
  const env = {
    HOME: home,
    TMPDIR: tmp,
    PATH: `${bin}${path.delimiter}${process.env.PATH}`,
    LANG: "C.UTF-8",
  };
  return { folder, home, tmp, app, bin, env };
}
export type Sandbox = ReturnType<typeof createSandbox>;

export interface Run {
  readonly child: ChildProcess;
  /** Everything it has written. */
  readonly text: string;
  /** Resolves once its output fits. */
  until(pattern: RegExp): Promise<void>;
  /** The exit code, or the signal that ended it. */
  readonly end: Promise<number | string>;
}

interface StartOptions {
  readonly cwd?: string;
  readonly stdin?: "pipe" | "ignore";
  readonly env?: Record<string, string>;
  /** Starts a process group, which ends with the test: a shell may start programs that outlive it. */
  readonly ownGroup?: boolean;
}

export function start(sandbox: Sandbox, args: readonly string[], options?: StartOptions): Run {
  return startProgram(sandbox, process.execPath, [executable, ...args], options);
}

/** Lets other programs of this sandbox find the executable by its name. */
export function installExecutable({ bin }: Sandbox): void {
  const script = `#!/bin/sh\nexec '${process.execPath}' '${executable}' "$@"\n`;
  writeFileSync(path.join(bin, "ide-companion"), script, { mode: 0o755 });
}

export function startProgram(
  sandbox: Sandbox,
  program: string,
  args: readonly string[],
  options: StartOptions = {},
): Run {
  const child = spawn(program, args, {
    cwd: options.cwd ?? sandbox.app,
    env: { ...sandbox.env, ...options.env },
    stdio: [options.stdin ?? "ignore", "pipe", "pipe"],
    detached: options.ownGroup === true,
  });
  onTestFinished(() => (options.ownGroup ? killGroup(child) : void child.kill("SIGKILL")));
  const end = once(child, "close").then(([code, signal]) => code ?? signal);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  return {
    child,
    end,
    get text() {
      return text;
    },
    until: (pattern) => eventually(() => expect(text).toMatch(pattern)),
  };
}

function killGroup({ pid = 0 }: ChildProcess): void {
  try {
    // Group 0 would be our own.
    if (pid > 0) process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}

export async function serve(
  sandbox: Sandbox,
  args: readonly string[] = [],
  options: Parameters<typeof start>[2] = {},
): Promise<Run> {
  const run = start(sandbox, ["--no-open", ...args], options);
  await run.until(/Restart one that is running/);
  return run;
}

/** Every discovery file there is. */
export function discoveryFiles({ tmp, home }: Sandbox): readonly string[] {
  const folders = [
    tmp,
    path.join(tmp, "gemini", "ide"),
    path.join(tmp, "qwen", "ide"),
    path.join(home, ".qwen", "ide"),
    path.join(home, ".claude", "ide"),
  ];
  return folders
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)))
    .filter((file) => /\.(json|lock|tmp)$/.test(file));
}
