import { chmodSync, mkdirSync, renameSync, rmSync, unwatchFile, watchFile, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Fault } from "../contracts/fault.ts";
import { type LockFile, readLocksIn } from "../contracts/locking.ts";
import type { Json } from "../wire/json-rpc.ts";

export interface Mirroring {
  /** Files of the companion, and where CLIs find each. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  readonly fault: Partial<Fault>;
  /** Where CLIs find the proxy, in the form of these files. */
  readonly address: Json;
  readonly folderMode?: number | undefined;
  /** Whether a file that changes is replaced by another. */
  readonly replaces?: boolean | undefined;
}

/** Only one companion is in the folder. */
export async function readLock(from: string): Promise<LockFile> {
  const [lock] = await readLocksIn(from, /\.lock$/);
  if (!lock) throw new Error(`there is no lock file in ${from}`);
  return lock;
}

/** Makes a companion's files those of the proxy in front of it, with the fault, whenever they change. */
export async function mirrorFiles(mirroring: Mirroring): Promise<() => void> {
  const { files, fault, address, folderMode, replaces } = mirroring;
  const write = (to: string, content: Json, first: Json) => {
    const changed = fault.lock?.({ ...content, ...address }, { ...first, ...address }, path.basename(to));
    const fresh = replaces ? `${to}.new` : to;
    writeFileSync(fresh, JSON.stringify(changed ?? { ...content, ...address }));
    chmodSync(fresh, fault.lockMode ?? 0o600);
    if (replaces) renameSync(fresh, to);
  };
  for (const [from, paths] of files) {
    const first: Json = JSON.parse(await readFile(from, "utf8"));
    for (const to of paths) {
      mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
      if (folderMode !== undefined) chmodSync(path.dirname(to), folderMode);
      write(to, first, first);
    }
    watchFile(from, { interval: 50 }, async () => {
      const text = await readFile(from, "utf8").catch(() => ""); // it is removed at the end
      if (text !== "") for (const to of paths) write(to, JSON.parse(text), first);
    });
  }
  return () => {
    for (const from of files.keys()) unwatchFile(from);
    if (!fault.keepsLock) for (const to of [...files.values()].flat()) rmSync(to, { force: true });
  };
}
