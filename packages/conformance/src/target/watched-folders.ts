import { watch } from "node:fs";
import { mkdir } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { currentKinds, folderOf, recognise, type SystemFolders } from "./discovery-file.ts";
import { isListening } from "./found-companion.ts";

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
