import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect } from "vitest";

/** Bundles the kit as a program before the first test, for as long as the tests of this file run. */
export function buildKit() {
  const built = realpathSync(mkdtempSync(path.join(tmpdir(), "conf-cli-")));
  const script = (name: string) => path.join(built, `${name}.mjs`);

  beforeAll(async () => {
    const source = (...names: string[]) => path.join(import.meta.dirname, "..", ...names);
    await build({
      entryPoints: {
        main: source("cli", "main.ts"),
        "editor-command": source("example", "editor-command.ts"),
        "example-process": source("testing", "example-process.ts"),
        examples: source("example", "main.ts"),
      },
      outdir: built,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      platform: "node",
      format: "esm",
    });
  }, 60_000);
  afterAll(() => rmSync(built, { recursive: true, force: true }));

  /** Removed with everything else after the last test. */
  const newFolder = () => mkdtempSync(path.join(built, "run-"));

  /** Runs the program in a private folder, or in a given one, where it must leave nothing. */
  async function run(
    args: readonly string[],
    { folder = newFolder(), env: more = {} }: { folder?: string; env?: NodeJS.ProcessEnv } = {},
  ) {
    for (const name of ["tmp", "work"]) mkdirSync(path.join(folder, name), { recursive: true });
    const before = readdirSync(path.join(folder, "tmp"));
    const env = {
      ...process.env,
      TMPDIR: path.join(folder, "tmp"),
      QWEN_HOME: path.join(folder, "qwen"),
      COPILOT_HOME: path.join(folder, "copilot"),
      NO_COLOR: "1",
      ...more,
    };
    const options = { cwd: path.join(folder, "work"), env, maxBuffer: 50_000_000 };
    const result = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, [script("main"), ...args], options, (error, stdout, stderr) => {
        resolve({ code: error ? error.code : 0, stdout, stderr });
      });
    });
    expect(readdirSync(path.join(folder, "tmp"))).toEqual(before);
    return { ...result, folder };
  }

  return { script, example: [process.execPath, script("example-process"), "gemini"], newFolder, run };
}
