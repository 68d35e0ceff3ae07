import { existsSync, watch } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import path, { join } from "node:path";
import type { FileKind } from "../../agents.ts";
import { Clis, createCleanup, type Subject } from "../../run/subject.ts";
import type { Sandbox, SystemFolders } from "../../target/folders.ts";
import { deadPid, isListening, listen } from "../../target/machine.ts";
import type { Started, StartOptions } from "../../target/process.ts";
import { until } from "../../until.ts";
import { Evidence } from "../../wire/evidence.ts";
import { NotRun } from "../check.ts";
import type { HttpCli } from "../http-cli.ts";
import {
  currentKinds,
  type DiscoveryFile,
  fileOf,
  folderOf,
  nameOf,
  readDiscoveryFiles,
  recognise,
} from "./target/discovery-file.ts";
import type { Target } from "./target/target.ts";
import { createWire, openDiff } from "./wire.ts";

/** What starts them, and how long they may take. */
type Options = Pick<Subject<Target>, "start" | "limits">;

type Companion = Started<Target>;

export type ParallelCompanions = ReturnType<typeof createParallelCompanions>;

/**
 * Two companions that run in one folder at the same time, apart from the one under test. Each of these events happens
 * once in a run, when the first check asks for it; several checks examine its result. `close` ends both.
 */
export function createParallelCompanions({ start, limits }: Options) {
  const evidence = new Evidence();
  const cleanup = createCleanup();
  const clis = new Clis();
  cleanup.later(() => clis.close());
  const startOne = async (options: StartOptions) => {
    if (!start) throw new NotRun("there is no command that starts companions");
    const companion = await start(options);
    cleanup.later(() => companion.end("SIGTERM"));
    for (const token of companion.target.tokens.values()) evidence.hide(token);
    return { companion, files: await filesOf(companion) };
  };
  const connect = ({ target }: Companion) => createWire({ target, evidence, limits, clis }).connect();
  /** Starts the first one, where files of a dead process and of a running one are. */
  const first = happensOnce(async () => {
    const [listener, pid] = [await listen(), await deadPid()];
    // As long as it listens, no later companion gets the port that the planted files name.
    cleanup.later(listener.close);
    const [dead, living]: [PlantedFile[], PlantedFile[]] = [[], []];
    const watcher = createWatcher();
    cleanup.later(async () => watcher.close());
    const started = await startOne({
      async prepare(sandbox) {
        dead.push(...(await plantFiles(sandbox, pid, 9)));
        living.push(...(await plantFiles(sandbox, process.pid, listener.port)));
        const longAgo = new Date(Date.now() - 30 * 24 * 3_600_000);
        for (const { path } of living) await utimes(path, longAgo, longAgo);
        await watcher.watch(sandbox.systemFolders, pathsOf([...dead, ...living]));
      },
    });
    const kinds = started.files.map(({ kind }) => kind);
    const watched = started.files.filter(({ kind }) => currentKinds.includes(kind));
    const steps = await watcher.finish(pathsOf(watched), limits.event);
    const described = steps.map(({ how, path, listens }) => `${how} ${path}${listens ? ", listens" : ""}`);
    evidence.note(`The files of the first companion appeared in this order: ${described.join("; ")}`);
    return {
      ...started,
      /** The steps in which its files appeared. */
      steps,
      /** Files of the dead process that it has not removed, of the kinds that it writes. */
      notSwept: pathsOf(dead.filter(({ path, kind }) => existsSync(path) && kinds.includes(kind))),
      /** Files of the running process, which serves their port, that have disappeared. */
      swept: pathsOf(living).filter((path) => !existsSync(path)),
    };
  });
  const second = happensOnce(async () => {
    const running = await first();
    const session = await connect(running.companion);
    // The same system folders and the same open folder, as two windows on one project.
    const started = await startOne({ sandbox: running.companion.sandbox });
    const { result } = await session.request("tools/list", {});
    return {
      ...started,
      /** Files of the first one that disappeared during the start. */
      lost: pathsOf(running.files).filter((path) => !existsSync(path)),
      /** Whether the first one still served its CLI. */
      firstServes: result !== undefined && session.stream.end === undefined,
    };
  });
  /** Ends the second one. */
  const terminated = happensOnce(async () => {
    const { companion } = await second();
    const before = pathsOf((await first()).files).filter((path) => existsSync(path));
    const ended = await endBusy(companion, await connect(companion), "SIGTERM");
    /** Files of the first one that disappeared with it. */
    const lost = before.filter((path) => !existsSync(path));
    return { ...ended, lost };
  });
  /** After that, ends the first one. */
  const hungUp = happensOnce(async () => {
    await terminated();
    const { companion } = await first();
    return endBusy(companion, await connect(companion), "SIGHUP");
  });
  return { first, second, terminated, hungUp, evidence, close: cleanup.close };
}

/** Ends a companion with which a CLI is connected, and in which a diff is open. */
async function endBusy(companion: Companion, session: HttpCli, signal: NodeJS.Signals) {
  await openDiff(session, join(companion.sandbox.workspace, "open-at-the-end.txt"), "proposed\n");
  const files = pathsOf(await filesOf(companion));
  const inTime = await companion.end(signal);
  await session.stream.find(({ end }) => end, session.limits.quiet);
  const { port } = companion.target;
  return {
    port,
    /** Its files that are still there. */
    left: files.filter((path) => existsSync(path)),
    inTime,
    /** Whether the stream of its CLI was closed. */
    streamEnded: session.stream.end !== undefined,
    /** Whether a process still listens on its port. */
    listens: await isListening(port),
  };
}

/** Its own discovery files. */
async function filesOf({ target }: Companion): Promise<readonly DiscoveryFile[]> {
  const files = await readDiscoveryFiles(target.systemFolders);
  return files.filter(({ content }) => content?.port === target.port);
}

function happensOnce<T>(happen: () => Promise<T>): () => Promise<T> {
  let happening: Promise<T> | undefined;
  return () => {
    happening ??= happen();
    return happening;
  };
}

const pathsOf = (files: readonly { readonly path: string }[]): string[] => files.map(({ path }) => path);

/** A discovery file of no companion. */
interface PlantedFile {
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
  /** Whether the port in its name was open when the step was seen; undefined without a port. */
  readonly listens: boolean | undefined;
}

/** Watches the folders of discovery files. */
function createWatcher() {
  const steps: Promise<Step>[] = [];
  const seen = new Set<string>();
  const controller = new AbortController();
  return {
    /** Begins, and makes the folders where they are missing. @param others files that do not count */
    async watch(systemFolders: SystemFolders, others: readonly string[]) {
      for (const folder of currentKinds.map((kind) => folderOf(kind, systemFolders))) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        watch(folder, { signal: controller.signal }, (how, name) => {
          const file = name === null ? undefined : recognise(folder, name, systemFolders);
          if (!file || others.includes(file.path)) return;
          const { path, port } = file;
          seen.add(path);
          const listening = port === undefined ? Promise.resolve(undefined) : isListening(port);
          steps.push(listening.then((listens) => ({ how, path, listens })));
        });
      }
    },
    /** Ends with what was seen, in order, when there was a step for each of these paths, or time is up. */
    async finish(paths: readonly string[], within: number): Promise<readonly Step[]> {
      await until(() => paths.every((path) => seen.has(path)), within);
      controller.abort();
      return Promise.all(steps);
    },
    close: () => controller.abort(),
  };
}
