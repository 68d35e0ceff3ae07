import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { World } from "./world.ts";

const Content = z.looseObject({ port: z.int(), workspacePath: z.string() });

/** The folders in which a world's CLIs look for companions. */
function folders(world: World): string[] {
  return [join(world.tmp, "gemini", "ide"), join(world.tmp, "qwen", "ide"), join(world.home, ".qwen", "ide")];
}

/** Absolute paths of all discovery files in a world. */
export async function discoveryFiles(world: World): Promise<string[]> {
  const found = await Promise.all([world.tmp, ...folders(world)].map((folder) => companionFilesIn(folder)));
  return found.flat();
}

/** The folders that companions announce, as each file has them. */
export async function announcedWorkspaces(world: World): Promise<string[]> {
  const files = await discoveryFiles(world);
  return Promise.all(
    files.map(async (path) => Content.parse(JSON.parse(await readFile(path, "utf8"))).workspacePath),
  );
}

/**
 * Lets the CLIs that start from now on reach a companion through a proxy: each discovery file names the proxy's port
 * instead. It stays where it is, since the companion puts back one that is missing.
 */
export async function reroute(world: World, proxyPort: number): Promise<void> {
  for (const path of await discoveryFiles(world)) {
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
