import { watch } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isListening } from "../../../target/process.ts";
import { isJson, type Json } from "../../../wire/json-rpc.ts";
import { byStart, byUser, demand, demandNone } from "../../check.ts";
import { demandPrivate, demandProcess, openFolder } from "../../lock-file.ts";
import { homeIn, readLocks } from "../lock-file.ts";
import type { CopilotCheck, Means } from "./means.ts";

const isText = (value: unknown) => typeof value === "string" && value !== "";
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

/** What the CLI reads of a lock file. */
const fields: Readonly<Record<string, (value: unknown) => boolean>> = {
  socketPath: isText,
  scheme: isText,
  headers: (value) => isJson(value) && Object.values(value).every(isText),
  pid: Number.isInteger,
  ideName: isText,
  timestamp: (value) => typeof value === "number" && value > 1e12,
  workspaceFolders: isTexts,
  isTrusted: (value) => value === undefined || typeof value === "boolean",
};

export const discoveryChecks: readonly CopilotCheck[] = [
  {
    id: "lock-fields",
    title: "the lock file has the fields that the CLI reads",
    requirements: ["PD1"],
    lane: "wire",
    async run({ target }) {
      const { content } = target.lock;
      const wrong = Object.entries(fields).filter(([name, isRight]) => !isRight(content[name]));
      demandNone(wrong.map(([name]) => `${name} is ${JSON.stringify(shown(name, content))}`));
    },
  },
  {
    id: "lock-mode",
    title: "only its user can read the lock file and list its folder",
    requirements: ["PD2"],
    lane: "wire",
    run: ({ target }) => demandPrivate(target.lock),
  },
  {
    id: "lock-process",
    title: "the lock file names a process that runs",
    requirements: ["PD3"],
    lane: "wire",
    async run({ target }) {
      demandProcess(target.lock);
    },
  },
  {
    id: "lock-folders",
    title: "the lock file names the open folders by their real paths",
    requirements: ["PD4"],
    ...byStart,
    async run({ start }) {
      const { target, sandbox } = await start();
      const here = await realpath(sandbox.workspace);
      demand(target.roots.includes(here), `${here} is not one of ${JSON.stringify(target.roots)}`);
      for (const root of target.roots) {
        const real = await realpath(root).catch(() => undefined);
        demand(isAbsolute(root) && real === root, `${root} is not a real path`);
      }
    },
  },
  {
    id: "listens-first",
    title: "a CLI that reads the lock file can connect at once",
    requirements: ["PD5"],
    ...byStart,
    async run({ start }) {
      const reading = new AbortController();
      let first: Promise<boolean | undefined> = Promise.resolve(undefined);
      try {
        await start({
          prepare: async (sandbox) => {
            first = firstAnswer(homeIn(sandbox), reading.signal);
          },
        });
        demand((await first) === true, "when the lock file was there, nobody listened on its socket");
      } finally {
        reading.abort();
      }
    },
  },
  {
    id: "one-lock",
    title: "one companion has one lock file",
    requirements: ["PD6"],
    ...byStart,
    async run({ start, limits }) {
      const { target } = await start();
      // Another one may be written after the one by which it was found.
      await delay(limits.quiet);
      const own = (await readLocks(target.home)).filter(
        ({ content }) => content.socketPath === target.socketPath,
      );
      demand(own.length === 1, `there are ${own.length}: ${own.map(({ path }) => path).join(", ")}`);
    },
  },
  {
    id: "folder-opened",
    title: "the lock file names a folder that is opened later",
    requirements: ["PD7"],
    ...byUser,
    async run(means) {
      const { folder, isNamed } = await openFolder(means, "another", lockOf(means));
      demand(isNamed, `the lock file does not name ${folder} ${means.limits.event} ms after it was opened`);
    },
  },
  {
    id: "lock-in-place",
    title: "the lock file is changed in place",
    requirements: ["PD8"],
    ...byUser,
    async run(means) {
      const { path } = means.target.lock;
      let isReplaced = false;
      // As the CLI watches it: a name that comes or goes is "rename", and new content is "change".
      const watcher = watch(dirname(path), (event, name) => {
        isReplaced ||= event === "rename" && name === basename(path);
      });
      try {
        await openFolder(means, "one-more", lockOf(means));
        await delay(means.limits.quiet);
      } finally {
        watcher.close();
      }
      demand(!isReplaced, `when a folder was opened, another file took the place of ${path}`);
    },
  },
];

/** Without the headers' values, which are secret. */
const shown = (name: string, content: Json) => (name === "headers" ? typeof content[name] : content[name]);

/** The lock file of the companion under test, as it is whenever this is called. */
const lockOf =
  ({ target }: Means) =>
  async () =>
    (await readLocks(target.home)).find(({ path }) => path === target.lock.path);

/** Whether the socket of the first lock file that appears answers at that moment. */
async function firstAnswer(home: string, signal: AbortSignal): Promise<boolean | undefined> {
  while (!signal.aborted) {
    const [lock] = await readLocks(home);
    if (lock) return isListening(String(lock.content.socketPath));
    await delay(5);
  }
  return undefined;
}
