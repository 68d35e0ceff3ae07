import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FileKind } from "../agents.ts";
import {
  currentKinds,
  type DiscoveryFile,
  fileOf,
  folderOf,
  nameOf,
  recognise,
  type SystemFolders,
} from "../target/discovery-file.ts";
import type { Sandbox, StartedCompanion } from "../target/started-companion.ts";
import { isListening } from "../target/target.ts";

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

/** A discovery file of no companion. */
export interface PlantedFile {
  readonly kind: FileKind;
  readonly path: string;
}

/** Writes the discovery files that a companion of this process would have. */
export async function plantFiles(
  { systemFolders, workspace }: Sandbox,
  pid: number,
  port: number,
): Promise<PlantedFile[]> {
  const ideInfo = { name: "planted", displayName: "Planted" };
  const common = { port, workspacePath: workspace, authToken: "planted-planted-planted", ideInfo };
  const planted: PlantedFile[] = [];
  for (const kind of currentKinds) {
    const folder = folderOf(kind, systemFolders);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, nameOf(kind, { pid, port }));
    const content = fileOf(kind).fields?.includes("ppid") ? { ...common, ppid: pid } : common;
    await writeFile(file, JSON.stringify(content), { mode: 0o600 });
    planted.push({ kind, path: file });
  }
  return planted;
}

/** One step in the making of a discovery file. */
export interface Step {
  /** A rename reports a name once; writing in place, or chmod, also reports a change. */
  readonly how: "rename" | "change";
  readonly path: string;
  /** Whether the port in its name was open when the step was seen; false without a port. */
  readonly listens: boolean;
}

/** Watches the folders of discovery files. */
export interface Watcher {
  /** Begins, and makes the folders where they are missing. @param others files that do not count */
  watch(systemFolders: SystemFolders, others: readonly string[]): Promise<void>;
  /** Ends with what was seen, in order, when there was a step for each of these paths, or time is up. */
  finish(paths: readonly string[], within: number): Promise<readonly Step[]>;
  close(): void;
}

export function createWatcher(): Watcher {
  const steps: Promise<Step>[] = [];
  const seen = new Set<string>();
  const controller = new AbortController();
  return {
    async watch(systemFolders, others) {
      for (const folder of currentKinds.map((kind) => folderOf(kind, systemFolders))) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        watch(folder, { signal: controller.signal }, (how, name) => {
          const file = name === null ? undefined : recognise(folder, name, systemFolders);
          if (!file || others.includes(file.path)) return;
          const { path, port = 0 } = file;
          seen.add(path);
          const listening = port === 0 ? Promise.resolve(false) : isListening(port);
          steps.push(listening.then((listens) => ({ how, path, listens })));
        });
      }
    },
    async finish(paths, within) {
      const deadline = performance.now() + within;
      while (!paths.every((path) => seen.has(path)) && performance.now() < deadline) await delay(10);
      return Promise.all(steps);
    },
    close: () => controller.abort(),
  };
}
