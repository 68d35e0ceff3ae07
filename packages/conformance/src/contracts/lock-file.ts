import { existsSync, rmSync } from "node:fs";
import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CommonMeans } from "../run/subject.ts";
import type { Sandbox } from "../target/folders.ts";
import { isAlive, isListening, listen } from "../target/machine.ts";
import { until } from "../until.ts";
import type { Json } from "../wire/json-rpc.ts";
import { byStart, byUser, demand, demandNone, endFaults, problemsOfPrivacy, quote, unless } from "./check.ts";
import { type createLocking, type Locked, lockFolder } from "./locking.ts";

/** What reads lock files. */
type Reading = Pick<ReturnType<typeof createLocking>, "read">;

/** What proves the rules of a lock file, in every contract that has one. */
export const lockChecks = <Target extends Locked>(
  { read }: Reading,
  isOwn: (content: Json, target: Target) => boolean,
) => ({
  mode: {
    check: "lock-mode",
    async run({ target: { lock } }: CommonMeans<Target>) {
      demandNone(await problemsOfPrivacy([lock.path, dirname(lock.path)]));
    },
    fault: { lockMode: 0o644, says: /\.lock has mode 644, not 600/ },
  },
  process: {
    check: "lock-process",
    async run({ target: { lock } }: CommonMeans<Target>) {
      const pid = Number(lock.content.pid);
      demand(pid > 0 && isAlive(pid), `pid ${lock.content.pid} is no process that runs`);
    },
    fault: {
      lock: (content: Json) => ({ ...content, pid: 99_999_999 }),
      says: /pid 99999999 is no process that runs/,
    },
  },
  folders: {
    check: "lock-folders",
    ...byStart,
    async run({ start }: CommonMeans<Target>) {
      const { target, sandbox } = await start();
      const here = await realpath(sandbox.workspace);
      demand(target.roots.includes(here), `${here} is not one of ${quote(target.roots)}`);
      for (const root of target.roots) {
        const real = await realpath(root).catch(() => undefined);
        const plain = root.replace(/(.)\/$/, "$1");
        demand(isAbsolute(root) && real === plain, `${root} is not a real path`);
      }
    },
    fault: {
      lock: (content: Json) => ({ ...content, workspaceFolders: [`${content.workspaceFolders}/.`] }),
      says: /work is not one of \[".*\/work\/\."\]/,
    },
  },
  one: {
    check: "one-lock",
    ...byStart,
    async run({ start, limits }: CommonMeans<Target>) {
      const { target } = await start();
      // Another one may be written after the one by which it was found.
      await delay(limits.quiet);
      const own = (await read(target.own)).filter(({ content }) => isOwn(content, target));
      demand(own.length === 1, `there are ${own.length}: ${own.map(({ path }) => path).join(", ")}`);
    },
    fault: { extraLock: ["1.lock"], says: /there are 2: / },
  },
  opened: {
    check: "folder-opened",
    ...byUser,
    async run(means: CommonMeans<Target>) {
      const { folder, isNamed } = await openFolder(means, "another", read);
      demand(isNamed, `the lock file does not name ${folder} ${means.limits.event} ms after it was opened`);
    },
    fault: {
      lock: (_: Json, first: Json) => first,
      says: /the lock file does not name .*another/,
    },
  },
});

/** Opens one more folder, and waits until the lock file names it. */
export async function openFolder(
  { editor, path, limits, target: { own, lock } }: CommonMeans<Locked>,
  name: string,
  read: Reading["read"],
) {
  await mkdir(path(name), { recursive: true });
  await editor.folder(path(name));
  const folder = await realpath(path(name));
  const isNamed = await until(async () => {
    const now = (await read(own)).find((one) => one.path === lock.path);
    const folders = now?.content.workspaceFolders;
    return Array.isArray(folders) && folders.includes(folder);
  }, limits.event);
  return { folder, isNamed: isNamed === true };
}

/** Writes a lock file of another companion. @param own the CLI's own folder @returns its path */
export async function leaveLock(own: string, name: string, content: object | string): Promise<string> {
  await mkdir(lockFolder(own), { recursive: true, mode: 0o700 });
  const path = join(lockFolder(own), `${name}.lock`);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
  return path;
}

/** What proves which lock files are removed, and which stay. */
export const lockLifeChecks = <Target extends Locked>({
  listensAt,
  leaveOthers,
}: {
  listensAt(target: Target): number | string;
  /** Writes lock files that must stay. @param port on which this process listens @returns their paths */
  leaveOthers(sandbox: Sandbox, port: number): Promise<readonly string[]>;
}) => ({
  removed: {
    check: "lock-removed",
    ...byStart,
    async run({
      start,
      connect,
      limits,
    }: CommonMeans<Target> & { connect(target: Target): Promise<unknown> }) {
      const companion = await start();
      const [{ path }, socket] = [companion.target.lock, listensAt(companion.target)];
      await connect(companion.target);
      const problems = endFaults(await companion.end("SIGTERM"), limits);
      const isOpen = (typeof socket === "string" && existsSync(socket)) || (await isListening(socket));
      demandNone([
        ...problems,
        ...unless(!existsSync(path), `after SIGTERM ${path} is still there`),
        ...unless(!isOpen, `after SIGTERM its socket ${socket} is still there`),
      ]);
    },
    fault: { keepsLock: true as const, says: /after SIGTERM .*\.lock is still there/ },
  },
  others: {
    check: "other-locks",
    ...byStart,
    async run({ start }: CommonMeans<Target>) {
      const other = await listen();
      try {
        let paths: readonly string[] = [];
        const companion = await start({
          async prepare(sandbox) {
            paths = await leaveOthers(sandbox, other.port);
          },
        });
        const missing = (when: string) =>
          paths.filter((path) => !existsSync(path)).map((path) => `when it ${when}, ${path} was removed`);
        demandNone(missing("started"));
        await companion.end("SIGTERM");
        demandNone(missing("ended"));
      } finally {
        await other.close();
      }
    },
    fault: {
      start: (folder: string) => rmSync(folder, { recursive: true }),
      says: /when it started, .*\.lock was removed/,
    },
  },
});
