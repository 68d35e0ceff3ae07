import { randomUUID } from "node:crypto";
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import type { AgentKind } from "./agent-cli.ts";
import { newerNode } from "./installed.ts";

/** A PATH in which the CLI is found by its name, as after an installation. */
export async function pathTo(sandbox: Sandbox, { name, command }: AgentKind): Promise<{ PATH: string }> {
  const bin = join(sandbox.home, "bin");
  await mkdir(bin, { recursive: true });
  await symlink(command.at(-1) ?? "", join(bin, name));
  return { PATH: `${bin}:${newerNode}:${sandbox.env.PATH}` };
}

/**
 * Puts a program into the folder for the user's own programs.
 * @param command program and arguments, to which those of the call are added
 */
export async function programInPath(
  sandbox: Sandbox,
  name: string,
  command: readonly string[],
): Promise<void> {
  const bin = join(sandbox.home, "bin");
  await mkdir(bin, { recursive: true });
  const words = command.map((word) => `'${word}'`).join(" ");
  const file = join(bin, name);
  const fresh = `${file}-${randomUUID()}`;
  await writeFile(fresh, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  // An editor that has started may run it now.
  await rename(fresh, file);
}
