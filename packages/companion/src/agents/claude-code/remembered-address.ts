import { createHash } from "node:crypto";
import path from "node:path";
import { type Host, stateFolder } from "../../system/host.ts";
import { pidIsAlive, portIsServed } from "../../system/liveness.ts";
import { ensureOwnedFolder, readPrivateFile, writePrivateFile } from "../../system/private-file.ts";
import type { Liveness } from "../discovery/sweep.ts";

/** Companions of one editor and folder at once whose addresses are remembered. */
const maxRecords = 16;

/** How long after its companion's end a token is used again, in milliseconds. A CLI tries to reconnect for 14 seconds. */
const tokenLife = 60_000;

/** Where CLIs connect, and by what. */
export interface Endpoint {
  readonly port: number;
  readonly token: string;
}

export interface RememberedAddress {
  /** Of the companion before; nobody may listen there now. */
  readonly port?: number;
  /** Only where that companion ended a moment ago, or was killed. */
  readonly token?: string;
  /** This companion listens there. What cannot be written is not remembered. */
  hold(endpoint: Endpoint): void;
  /** It has ended. Synchronous, for exit handlers; never throws; may be repeated. */
  release(): void;
}

interface AddressRecord extends Endpoint {
  /** The companion's process. */
  readonly pid: number;
  /** In milliseconds since 1970; absent while it runs, and after it was killed. */
  readonly endedAt?: number;
}

/**
 * A CLI reconnects to the same port with the same token, and to nothing else. So a companion takes over both from the
 * one before it, of the same editor in the same folders. Those that run at once have a record each.
 * @param key names the editor and its folders
 */
export async function recallAddress(
  host: Host,
  key: string,
  { isAlive = pidIsAlive, isServed = portIsServed }: Liveness = {},
): Promise<RememberedAddress> {
  const folder = path.join(stateFolder(host), "addresses");
  const name = createHash("sha256").update(key).digest("hex").slice(0, 32);
  for (let number = 1; number <= maxRecords; number += 1) {
    const file = path.join(folder, `${name}-${number}.json`);
    const record = readRecord(file);
    const isHeld = record && record.endedAt === undefined && isAlive(record.pid);
    if (!(isHeld && (await isServed(record.port)))) return toRemembered(folder, file, record);
  }
  return { hold() {}, release() {} };
}

function toRemembered(folder: string, file: string, record: AddressRecord | undefined): RememberedAddress {
  const isFresh = record?.endedAt === undefined || Date.now() - record.endedAt < tokenLife;
  let held: AddressRecord | undefined;

  function write(next: AddressRecord): void {
    try {
      ensureOwnedFolder(folder);
      writePrivateFile(file, JSON.stringify(next));
      held = next;
    } catch {
      // The CLIs find the lock file of the next companion, but not by themselves.
    }
  }

  return {
    ...(record && { port: record.port }),
    ...(record && isFresh && { token: record.token }),
    hold: ({ port, token }) => write({ port, token, pid: process.pid }),
    release() {
      const current = held && readRecord(file);
      held = undefined;
      // Not one that another companion has taken meanwhile.
      if (current?.pid === process.pid) write({ ...current, endedAt: Date.now() });
    },
  };
}

/** By hand, because no schema is to be loaded at the start. */
function readRecord(file: string): AddressRecord | undefined {
  try {
    const { port, token, pid, endedAt } = Object(JSON.parse(readPrivateFile(file) ?? ""));
    const isValid = isPort(port) && Number.isInteger(pid) && typeof token === "string" && token !== "";
    if (!isValid) return undefined;
    return { port, token, pid, ...(Number.isFinite(endedAt) && { endedAt }) };
  } catch {
    return undefined; // cut off by a crash, or none
  }
}

const isPort = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value > 0 && value < 65_536;
