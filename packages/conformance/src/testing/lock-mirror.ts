import { chmodSync, mkdirSync, renameSync, rmSync, unwatchFile, watchFile, writeFileSync } from "node:fs";
import path from "node:path";
import type { Fault } from "../contracts/fault.ts";
import { type LockFile, lockFolder, readLocksIn } from "../contracts/lock-file.ts";
import type { Json } from "../wire/json-rpc.ts";

export interface Mirroring {
  /** The agent's own folder as the companion has it, and as CLIs have it. */
  readonly from: string;
  readonly to: string;
  readonly fault: Fault;
  /** Of the lock file that CLIs find. */
  readonly name: string;
  /** Where CLIs find the proxy, in the form of the lock file. */
  readonly address: Json;
}

/** Only one companion is in the folder. */
export async function readLock(from: string): Promise<LockFile> {
  const [lock] = await readLocksIn(from, /\.lock$/);
  if (!lock) throw new Error(`there is no lock file in ${from}`);
  return lock;
}

/** Makes a companion's lock file one of the proxy in front of it, with the fault, whenever it changes. */
export async function mirrorLock({ from, to, fault, name, address }: Mirroring) {
  const folder = lockFolder(to);
  const original = await readLock(from);
  const names = [name, ...(fault.extraLock === undefined ? [] : [fault.extraLock])];
  const paths = names.map((each) => path.join(folder, each));
  const write = (content: Json) => {
    const changed = fault.lock?.(content, original.content) ?? content;
    for (const each of paths) {
      const fresh = fault.replacesLock ? `${each}.new` : each;
      writeFileSync(fresh, JSON.stringify({ ...changed, ...address }));
      chmodSync(fresh, fault.lockMode ?? 0o600);
      renameSync(fresh, each);
    }
  };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  write(original.content);
  watchFile(original.path, { interval: 50 }, () => {
    readLock(from).then(
      ({ content }) => write(content),
      () => {}, // it is rewritten just now
    );
  });
  return () => {
    unwatchFile(original.path);
    if (!fault.keepsLock) for (const each of paths) rmSync(each, { force: true });
  };
}
