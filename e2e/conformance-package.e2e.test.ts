import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { run } from "../packages/testkit/src/run.ts";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { companionScript } from "./harness/installed.ts";
import { scenario } from "./harness/scenario.ts";

const kit = join(import.meta.dirname, "..", "packages", "conformance");

/** An empty project in which only the kit is installed, from the file that would be published. */
async function install(sandbox: Sandbox) {
  const folder = join(sandbox.home, "empty");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{"private":true}');
  const env = { ...sandbox.env, npm_config_offline: "true", npm_config_update_notifier: "false" };
  const npm = async (cwd: string, ...args: string[]) => (await run("npm", args, { cwd, env })).stdout;
  const packed = await npm(kit, "pack", "--silent", "--pack-destination", sandbox.tmp);
  await npm(folder, "install", "--silent", join(sandbox.tmp, packed.trim()));
  return { folder, npx: (...args: string[]) => run("npx", args, { cwd: folder, env }) };
}

scenario("the kit's package runs by npx in an empty folder, and needs no other", async (sandbox) => {
  const { folder, npx } = await install(sandbox);
  const modules = join(folder, "node_modules");
  expect((await readdir(modules)).filter((name) => !name.startsWith("."))).toEqual([
    "ide-companion-conformance",
  ]);
  const { stdout: help } = await npx("ide-companion-conformance", "--help");
  expect(help).toContain("Checks which rules of the contract");
  expect(Math.max(...help.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  const { stdout } = await npx(
    ...["ide-companion-conformance", "--agent", "codex-cli", "--patience", "4"],
    ...["--", process.execPath, companionScript, "--no-open"],
  );
  expect(stdout).toContain("The companion fulfils the contract.");
});
