import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { startEmacs } from "./conformance/emacs-hands.ts";
import { startHelix } from "./conformance/helix-hands.ts";
import { lendEditor } from "./conformance/kit-editor.ts";
import { startReviewPage } from "./conformance/review-hands.ts";
import { chain } from "./harness/chain.ts";
import { emacs } from "./harness/emacs.ts";
import { helix } from "./harness/helix.ts";
import { neovim as neovimProgram } from "./harness/installed.ts";
import { neovim, pluginConfig } from "./harness/neovim.ts";
import { neovimCommand } from "./harness/neovim-remote.ts";
import type { World } from "./harness/world.ts";

const kit = join(import.meta.dirname, "../packages/conformance/dist");
const beside = (name: string) => join(import.meta.dirname, "conformance", name);

/** What no companion of ours offers. */
const notOffered = ["older-files", "stdio-offer"];

/** In an editor to which no folder can be added. */
const oneFolder = ["folders-change", "rewritten-whole"];

interface Subject {
  readonly command: readonly string[];
  readonly hook: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Checks a companion, every SHOULD included, without a baseline.
 * @returns the ids of what was not run
 */
async function check(world: World, { command, hook, env = {} }: Subject): Promise<readonly string[]> {
  const report = world.path("report.json");
  const quoted = hook.map((word) => `"${word}"`).join(" ");
  const args = [
    join(kit, "cli", "main.js"),
    ...["--strict", "--patience", "6", "--json", report, "--editor-command", quoted],
    ...["--", ...command],
  ];
  const said = await new Promise<string>((resolve) => {
    const options = { cwd: world.workspace, env: { ...world.env, ...env }, maxBuffer: 10_000_000 };
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve(`${stdout}${stderr}${error ?? ""}`),
    );
  });
  expect(said).toContain("The contract is kept.");
  const { results }: { results: readonly { check: string; status: string }[] } = JSON.parse(
    await readFile(report, "utf8"),
  );
  expect(results.length).toBeGreaterThan(100);
  return results.filter(({ status }) => status === "not-run").map((result) => result.check);
}

/** Beside each other: they mostly wait. */
const concurrent = { concurrent: true, within: 900_000 };

chain(
  "the library passes the whole conformance kit",
  async (world) => {
    const hook = [process.execPath, join(kit, "example", "editor-command.js")];
    expect(await check(world, { command: [process.execPath, beside("core.mjs")], hook })).toEqual(notOffered);
  },
  concurrent,
);

chain(
  "the review page passes the whole conformance kit",
  async (world) => {
    const subject = await lendEditor(world, startReviewPage);
    expect(await check(world, subject)).toEqual([...oneFolder, ...notOffered]);
  },
  concurrent,
);

chain(
  "Neovim with the plugin passes the whole conformance kit",
  async (world) => {
    const { env } = await neovimCommand(world, pluginConfig, []);
    const start = `exec "${neovimProgram}" --headless -n --listen "$CONFORMANCE_FOLDER/nvim" "+IdeCompanion start"`;
    const hook = [process.execPath, beside("neovim-command.mjs"), neovimProgram];
    const gaps = await check(world, { command: ["/bin/sh", "-c", start], hook, env });
    expect(gaps).toEqual([...oneFolder, ...notOffered]);
  },
  { ...concurrent, needs: neovim.needs },
);

chain(
  "Emacs with the package passes the whole conformance kit",
  async (world) => {
    expect(await check(world, await lendEditor(world, startEmacs))).toEqual(notOffered);
  },
  { ...concurrent, needs: emacs.needs },
);

chain(
  "Helix by its own LSP client passes the whole conformance kit",
  async (world) => {
    const subject = await lendEditor(world, startHelix);
    expect(await check(world, subject)).toEqual([...oneFolder, ...notOffered]);
  },
  { ...concurrent, needs: helix.needs },
);
