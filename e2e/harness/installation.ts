import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { run } from "../../packages/testkit/src/run.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { discoveryFiles } from "./discovery-files.ts";
import { pathWithCommand } from "./editor.ts";
import { companionScript } from "./installed.ts";

/** Calls our command as a script of the user's would. @returns what it printed @throws Error when it fails */
export async function callCommand(sandbox: Sandbox, ...args: readonly string[]): Promise<string> {
  const env = { ...sandbox.env, PATH: await pathWithCommand(sandbox) };
  const { stdout } = await run(process.execPath, [companionScript, ...args], { cwd: sandbox.workspace, env });
  return stdout;
}

/** Installs twice, with nothing to do the second time, and undoes it, with nothing left; then installs for good. */
export async function install(sandbox: Sandbox, name: string): Promise<void> {
  await pathWithCommand(sandbox);
  const before = await lookAt(sandbox.home);
  await callCommand(sandbox, "install", "--yes", name);
  const installed = await lookAt(sandbox.home);
  expect(installed).not.toEqual(before);
  expect(await callCommand(sandbox, "install", name)).toContain("is set up already.");
  expect(await lookAt(sandbox.home)).toEqual(installed);
  await callCommand(sandbox, "uninstall", "--yes", name);
  expect(await lookAt(sandbox.home)).toEqual(before);
  await callCommand(sandbox, "install", "--yes", name);
  expect(await lookAt(sandbox.home)).toEqual(installed);
}

const Named = z.looseObject({ ideInfo: z.looseObject({ displayName: z.string() }) });

/** Waits until the CLIs would find an editor of this name. */
export async function companionOf(sandbox: Sandbox, displayName: string, describe?: () => Promise<string>) {
  const look = async () => {
    for (const file of await discoveryFiles(sandbox)) {
      const content = await readFile(file, "utf8").catch(() => "{}"); // gone meanwhile
      const named = Named.safeParse(JSON.parse(content));
      if (named.data?.ideInfo.displayName === displayName) return true;
    }
    return undefined;
  };
  await poll(`companion of ${displayName}`, look, describe && { describe });
}

/** Every folder, link and byte below a folder. */
async function lookAt(folder: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) found[file] = `link to ${await readlink(file)}`;
    else found[file] = entry.isFile() ? await readFile(file, "latin1") : "folder";
  }
  return found;
}
