import { existsSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { run } from "../../packages/testkit/src/run.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { companionScript } from "../harness/installed.ts";

/** How often the key for "right" is pressed from the beginning of a line: it goes by what looks like one character. */
export async function stepsTo(path: string, line: number, column: number): Promise<number> {
  const text = (await linesOf(path))[line - 1] ?? "";
  return countKeys(text.slice(0, column - 1));
}

/** How often the key for "left" is pressed from the end of a file. */
export async function stepsBackTo(path: string, line: number, column: number): Promise<number> {
  const [first = "", ...others] = (await linesOf(path)).slice(line - 1);
  return countKeys([first.slice(column - 1), ...others].join("\n"));
}

async function linesOf(path: string): Promise<readonly string[]> {
  return existsSync(path) ? (await readFile(path, "utf8")).split("\n") : [];
}

const countKeys = (text: string) => [...new Intl.Segmenter().segment(text)].length;

/** For an editor without terminals: what agents' CLIs get by `ide-companion run`. */
export async function shellEnvironment(sandbox: Sandbox): Promise<string> {
  const bin = await mkdtemp(join(sandbox.tmp, "programs-"));
  const options = { cwd: sandbox.workspace, env: { ...sandbox.env, PATH: `${bin}:${sandbox.env.PATH}` } };
  const variables = ["gemini", "qwen", "claude"].map(async (agent) => {
    await writeFile(join(bin, agent), "#!/bin/sh\nenv\n", { mode: 0o755 });
    return (await run(process.execPath, [companionScript, "run", agent], options)).stdout;
  });
  return (await Promise.all(variables)).join("");
}

/** Editors take a repository for a project. */
export async function makeProject(folder: string): Promise<void> {
  await run("git", ["init", "--quiet", folder]);
}

/** Opens a file and moves the cursor down in it. @param down moves it by one line */
export const sweepBy =
  (open: (path: string, line: string, column: string) => Promise<unknown>, down: () => Promise<unknown>) =>
  async (path: string, first: string, last: string): Promise<void> => {
    await open(path, first, "1");
    await moveDown(first, last, down);
  };

/** Moves the cursor down line by line, as fast as a key that is held. @param down moves it by one */
export async function moveDown(first: string, last: string, down: () => Promise<unknown>): Promise<void> {
  for (let line = Number(first); line < Number(last); line += 1) {
    await down();
    await delay(20);
  }
}
