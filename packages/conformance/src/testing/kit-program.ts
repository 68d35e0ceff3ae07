import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, expect } from "vitest";
import { bundling } from "./our-companion.ts";

interface Launch {
  readonly folder?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Where its standard output goes: to the test, or into an open file. */
  readonly stdout?: "pipe" | number;
}

/** All that comes out of a stream; nothing of one that is not there. */
export const textOf = async (stream: Readable | null): Promise<string> =>
  stream === null ? "" : text(stream);

/** Bundles the kit as a program before the first test, for as long as the tests of this file run. */
export function buildKit() {
  // Short names: the path of a socket deep below has 107 bytes at most.
  const built = realpathSync(mkdtempSync(path.join(tmpdir(), "k")));
  const script = (name: string) => path.join(built, `${name}.mjs`);

  beforeAll(async () => {
    const source = (...names: string[]) => path.join(import.meta.dirname, "..", ...names);
    await build({
      entryPoints: {
        main: source("cli", "main.ts"),
        "editor-command": source("testing", "editor-command.ts"),
        "example-process": source("testing", "example-process.ts"),
      },
      outdir: built,
      outExtension: { ".js": ".mjs" },
      ...bundling,
    });
  }, 60_000);
  afterAll(() => rmSync(built, { recursive: true, force: true }));

  /** Removed with everything else after the last test. */
  const newFolder = () => mkdtempSync(path.join(built, "r"));

  /** Starts the program in a private folder, or in a given one. @returns it, and where its temporary files are */
  function launch(args: readonly string[], { folder = newFolder(), env = {}, stdout = "pipe" }: Launch = {}) {
    const [tmp, cwd] = [path.join(folder, "tmp"), path.join(folder, "work")];
    for (const each of [tmp, cwd]) mkdirSync(each, { recursive: true });
    const own = {
      TMPDIR: tmp,
      QWEN_HOME: path.join(folder, "qwen"),
      COPILOT_HOME: path.join(folder, "copilot"),
      NO_COLOR: "1",
    };
    const kit = spawn(process.execPath, [script("main"), ...args], {
      cwd,
      env: { ...process.env, ...own, ...env },
      stdio: ["ignore", stdout, "pipe"],
    });
    return { kit, folder, tmp };
  }

  /** Runs the program to its end. It must leave nothing among its temporary files. */
  async function run(args: readonly string[], options: Omit<Launch, "stdout"> = {}) {
    const { kit, folder, tmp } = launch(args, options);
    const before = readdirSync(tmp);
    const [[code], stdout, stderr] = await Promise.all([
      once(kit, "close"),
      textOf(kit.stdout),
      textOf(kit.stderr),
    ]);
    expect(readdirSync(tmp)).toEqual(before);
    return { code, stdout, stderr, folder };
  }

  return { script, example: [process.execPath, script("example-process"), "gemini"], newFolder, launch, run };
}
