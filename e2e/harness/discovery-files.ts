import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";

const Content = z.looseObject({ port: z.int(), workspacePath: z.string() });

/** The folders in which a sandbox's CLIs look for companions. */
function folders(sandbox: Sandbox): string[] {
  return [
    join(sandbox.tmp, "gemini", "ide"),
    join(sandbox.tmp, "qwen", "ide"),
    join(sandbox.home, ".qwen", "ide"),
  ];
}

/** Absolute paths of all discovery files in a sandbox. */
export async function discoveryFiles(sandbox: Sandbox): Promise<string[]> {
  const found = await Promise.all(
    [sandbox.tmp, ...folders(sandbox)].map((folder) => companionFilesIn(folder)),
  );
  return found.flat();
}

/** Waits for the file by which an agent finds a companion. @returns its path */
export function companionIn(folder: string): Promise<string> {
  return poll(`a companion in ${folder}`, async () => (await companionFilesIn(folder))[0]);
}

/** Waits for the companion that serves an editor. @param pid of the editor */
export async function companionOfEditor(sandbox: Sandbox, pid: number): Promise<void> {
  const isThere = (path: string) => path.includes(`gemini-ide-server-${pid}-`);
  await poll(`a companion of process ${pid}`, async () => (await discoveryFiles(sandbox)).some(isThere));
}

/** The folders that companions announce, as each file has them. */
export async function announcedWorkspaces(sandbox: Sandbox): Promise<string[]> {
  const files = await discoveryFiles(sandbox);
  return Promise.all(
    files.map(async (path) => Content.parse(JSON.parse(await readFile(path, "utf8"))).workspacePath),
  );
}

/**
 * Lets the CLIs that start from now on reach a companion through a proxy: each discovery file names the proxy's port
 * instead. It stays where it is, since the companion puts back one that is missing.
 */
export async function reroute(sandbox: Sandbox, proxyPort: number): Promise<void> {
  for (const path of await discoveryFiles(sandbox)) {
    const content = Content.parse(JSON.parse(await readFile(path, "utf8")));
    await writeFile(path, JSON.stringify({ ...content, port: proxyPort }), { mode: 0o600 });
  }
}

async function companionFilesIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => /ide-server.*\.json$|\.lock$/.test(name)).map((name) => join(folder, name));
  } catch {
    return []; // no companion has made it yet
  }
}
