import { realpath } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { byStart, byUser, demand, demandNone } from "../../check.ts";
import { demandPrivate, demandProcess, openFolder } from "../../lock-file.ts";
import { readLocks } from "../target/lock-file.ts";
import type { ClaudeCheck } from "./means.ts";

const lockFields: ClaudeCheck = {
  id: "lock-fields",
  title: "the lock file has the fields that the CLI reads",
  requirements: ["CD1"],
  lane: "wire",
  async run({ target }) {
    const { pid, workspaceFolders, ideName, transport, authToken } = target.lock.content;
    const isText = (value: unknown) => typeof value === "string" && value !== "";
    demandNone([
      ...(Number.isInteger(pid) ? [] : [`pid is ${JSON.stringify(pid)}, not a number`]),
      ...(Array.isArray(workspaceFolders) ? [] : ["workspaceFolders is not a list"]),
      ...(isText(ideName) ? [] : ["ideName is missing"]),
      ...(transport === "ws" ? [] : [`transport is ${JSON.stringify(transport)}, not "ws"`]),
      ...(isText(authToken) ? [] : ["authToken is missing"]),
    ]);
  },
};

const lockMode: ClaudeCheck = {
  id: "lock-mode",
  title: "only its user can read the lock file and list its folder",
  requirements: ["CD2"],
  lane: "wire",
  run: ({ target }) => demandPrivate(target.lock),
};

const lockProcess: ClaudeCheck = {
  id: "lock-process",
  title: "the lock file names a process that runs",
  requirements: ["CD3"],
  lane: "wire",
  async run({ target }) {
    demandProcess(target.lock);
  },
};

const lockFolders: ClaudeCheck = {
  id: "lock-folders",
  title: "the lock file names the open folders by their real paths",
  requirements: ["CD4"],
  ...byStart,
  async run({ start }) {
    const { target, sandbox } = await start();
    const here = await realpath(sandbox.workspace);
    demand(target.roots.includes(here), `${here} is not one of ${JSON.stringify(target.roots)}`);
    for (const root of target.roots) {
      const real = await realpath(root).catch(() => undefined);
      demand(isAbsolute(root) && real === root.replace(/(.)\/$/, "$1"), `${root} is not a real path`);
    }
  },
};

const oneLock: ClaudeCheck = {
  id: "one-lock",
  title: "one companion has one lock file",
  requirements: ["CD5"],
  ...byStart,
  async run({ start, limits }) {
    const { target } = await start();
    // Another one may be written after the one by which it was found.
    await delay(limits.quiet);
    const locks = await readLocks(target.configFolders);
    const own = locks.filter(({ content }) => content.authToken === target.token);
    const names = own.map(({ path }) => path);
    demand(names.length === 1, `there are ${names.length}: ${names.join(", ")}`);
  },
};

const folderOpened: ClaudeCheck = {
  id: "folder-opened",
  title: "the lock file names a folder that is opened later",
  requirements: ["CD6"],
  ...byUser,
  async run(means) {
    const { configFolders, port } = means.target;
    const { folder, isNamed } = await openFolder(means, "another", async () =>
      (await readLocks(configFolders)).find((lock) => lock.port === port),
    );
    demand(isNamed, `the lock file does not name ${folder} ${means.limits.event} ms after it was opened`);
  },
};

const terminalPort: ClaudeCheck = {
  id: "terminal-port",
  title: "terminals of the editor name the port",
  requirements: ["CD7"],
  ...byUser,
  async run({ editor, target }) {
    const port = (await editor.environment()).get("CLAUDE_CODE_SSE_PORT");
    demand(port === String(target.port), `CLAUDE_CODE_SSE_PORT is ${port ?? "absent"}, not ${target.port}`);
  },
};

export const discoveryChecks: readonly ClaudeCheck[] = [
  lockFields,
  lockMode,
  lockProcess,
  lockFolders,
  oneLock,
  folderOpened,
  terminalPort,
];

/** A lock file of somebody else, for `prepare`. */
export const otherLock = (configFolder: string, port: number): string =>
  join(configFolder, "ide", `${port}.lock`);
