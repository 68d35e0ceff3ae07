import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { chain } from "./harness/chain.ts";
import { companionScript, neovim as neovimProgram } from "./harness/installed.ts";
import { neovim, pluginConfig } from "./harness/neovim.ts";
import { neovimCommand } from "./harness/neovim-remote.ts";
import type { World } from "./harness/world.ts";

const kit = join(import.meta.dirname, "../packages/conformance/dist");
const beside = (name: string) => join(import.meta.dirname, "conformance", name);

/** What no companion of ours offers, or a door cannot show by itself. */
const notOffered = ["older-files", "stdio-offer"];

interface Subject {
  readonly command: readonly string[];
  readonly hook?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Checks a companion, every SHOULD included, without a baseline.
 * @returns the ids of what was not run, but for what needs an editor command where there is none
 */
async function check(world: World, { command, hook, env = {} }: Subject): Promise<readonly string[]> {
  const report = world.path("report.json");
  const quoted = hook?.map((word) => `"${word}"`).join(" ");
  const args = [
    join(kit, "cli", "main.js"),
    ...["--strict", "--patience", "4", "--json", report],
    ...(quoted === undefined ? [] : ["--editor-command", quoted]),
    ...["--", ...command],
  ];
  const said = await new Promise<string>((resolve) => {
    const options = { cwd: world.workspace, env: { ...world.env, ...env }, maxBuffer: 10_000_000 };
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve(`${stdout}${stderr}${error ?? ""}`),
    );
  });
  expect(said).toContain("The contract is kept.");
  const { results }: { results: readonly { check: string; status: string; message?: string }[] } = JSON.parse(
    await readFile(report, "utf8"),
  );
  expect(results.length).toBeGreaterThan(100);
  const gaps = results.filter(
    ({ status, message }) => status === "not-run" && message !== "needs --editor-command",
  );
  return gaps.map((result) => result.check);
}

chain("the library passes the whole conformance kit", async (world) => {
  const hook = [process.execPath, join(kit, "example", "editor-command.js")];
  expect(await check(world, { command: [process.execPath, beside("core.mjs")], hook })).toEqual(notOffered);
});

chain("the review page's companion passes the conformance kit", async (world) => {
  const command = [process.execPath, companionScript, "--no-open"];
  expect(await check(world, { command })).toEqual(notOffered);
});

chain(
  "Neovim with the plugin passes the whole conformance kit",
  async (world) => {
    const { env } = await neovimCommand(world, pluginConfig, []);
    const start = `exec "${neovimProgram}" --headless -n --listen "$CONFORMANCE_FOLDER/nvim" "+IdeCompanion start"`;
    const hook = [process.execPath, beside("neovim-command.mjs"), neovimProgram];
    const gaps = await check(world, { command: ["/bin/sh", "-c", start], hook, env });
    expect(gaps).toEqual(["folders-change", ...notOffered]);
  },
  { needs: neovim.needs },
);
