import { watch } from "node:fs";
import { mkdir, mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";

const patience = 20_000;

/**
 * A temporary folder for one server, with the folder in which Gemini CLI searches companions: it exists
 * already, so that new files in it are seen at once.
 * @param {import("./testkit.mjs").Folders} sandbox
 */
export async function createDiscoveryFolder(sandbox) {
  const tmp = await mkdtemp(join(sandbox.folder, "server-"));
  const folder = join(tmp, "gemini", "ide");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return { env: { TMPDIR: tmp, TMP: tmp, TEMP: tmp }, folder };
}

/**
 * The content of the first discovery file that appears in a folder.
 * @param {string} folder
 * @param {AbortSignal} [signal] stops waiting
 * @returns {Promise<{ port: number, authToken: string }>}
 */
export function firstAnnouncement(folder, signal) {
  return firstEntry(
    folder,
    async (name) => {
      if (!name.endsWith(".json") || name.startsWith(".")) return undefined;
      // Half written, or removed again: the next event decides.
      return readFile(join(folder, name), "utf8")
        .then(JSON.parse)
        .catch(() => undefined);
    },
    signal,
  );
}

/**
 * What `read` makes of the first entry of a folder of which it makes anything.
 * @template T
 * @param {string} folder in which entries appear
 * @param {(name: string) => T | undefined | Promise<T | undefined>} read
 * @param {AbortSignal} [signal] stops waiting
 * @returns {Promise<T>}
 */
export function firstEntry(folder, read, signal) {
  return new Promise((resolve, reject) => {
    const settle = (then, value) => {
      clearTimeout(timer);
      watcher.close();
      then(value);
    };
    const timer = setTimeout(() => settle(reject, new Error(`nothing came in ${folder}`)), patience);
    signal?.addEventListener("abort", () => settle(reject, signal.reason), { once: true });
    const watcher = watch(folder, async (_, name) => {
      const found = name === null ? undefined : await read(name);
      if (found !== undefined) settle(resolve, found);
    });
  });
}
