import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { createServer } from "node:net";
import type { DiscoveryFile } from "../target/discovery-file.ts";
import { type PlantedFile, plantFiles } from "../target/planted-files.ts";
import type { Sandbox, StartedCompanion } from "../target/started-companion.ts";
import { createWatcher, type Step } from "../target/watched-folders.ts";

/** A companion, and the discovery files that lead to it. */
export interface Started {
  readonly companion: StartedCompanion;
  readonly files: readonly DiscoveryFile[];
}

/** A start that was observed; files of a dead process and of a running one were there before. */
export interface WatchedStart extends Started {
  /** The steps in which its files appeared. */
  readonly steps: readonly Step[];
  /** Files of the dead process that it has not removed, of the kinds that it writes. */
  readonly notSwept: readonly string[];
  /** Files of the running process, which serves their port, that have disappeared. */
  readonly swept: readonly string[];
}

/**
 * @param start must call its argument before it runs the command
 * @param within milliseconds until the system has reported the files
 */
export async function watchStart(
  start: (prepare: (sandbox: Sandbox) => Promise<void>) => Promise<Started>,
  within: number,
): Promise<WatchedStart> {
  const server = await listen();
  const deadPid = await pidOfTheDead();
  const [dead, living]: [PlantedFile[], PlantedFile[]] = [[], []];
  const watcher = createWatcher();
  try {
    const started = await start(async (sandbox) => {
      dead.push(...(await plantFiles(sandbox, deadPid, 9)));
      living.push(...(await plantFiles(sandbox, process.pid, server.port)));
      const longAgo = new Date(Date.now() - 30 * 24 * 3_600_000);
      for (const { path } of living) await utimes(path, longAgo, longAgo);
      await watcher.watch(sandbox.systemFolders, pathsOf([...dead, ...living]));
    });
    const kinds = started.files.map(({ kind }) => kind);
    return {
      ...started,
      steps: await watcher.finish(pathsOf(started.files), within),
      notSwept: pathsOf(dead.filter(({ path, kind }) => existsSync(path) && kinds.includes(kind))),
      swept: pathsOf(living).filter((path) => !existsSync(path)),
    };
  } finally {
    watcher.close();
    server.close();
  }
}

export const pathsOf = (files: readonly { readonly path: string }[]): string[] =>
  files.map(({ path }) => path);

/** A process that listens on a port of this machine. */
async function listen(): Promise<{ port: number; close: () => void }> {
  const listener = createServer();
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, close: () => void listener.close() };
}

async function pidOfTheDead(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}
