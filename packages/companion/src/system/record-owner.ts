import { hostname, uptime } from "node:os";
import { readIfThere } from "./disk.ts";
import { isObject } from "./json.ts";
import { pidIsAlive, statOf } from "./liveness.ts";

/** The process that still takes care of a record. */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Tells the process from a later one with its number; empty where the system does not say. */
  readonly start: string;
  /** Tells the machine's start from its other ones; absent where the system does not say, and in older records. */
  readonly boot?: string;
}

/** @throws Error that says what is wrong */
export function parseOwner(value: unknown): Owner {
  if (!isObject(value)) throw new Error("owner is no object");
  const { pid, host, start, boot } = value;
  if (typeof pid !== "number" || typeof host !== "string" || typeof start !== "string") {
    throw new Error("owner is incomplete");
  }
  return { pid, host, start, ...(typeof boot === "string" && { boot }) };
}

/** How long the owner on another machine, or in another container, may be silent; in milliseconds. */
const foreignSilence = 10 * 60_000;

export function thisProcess(): Owner {
  const boot = thisBoot();
  return {
    pid: process.pid,
    host: hostname(),
    start: startOf(process.pid),
    ...(boot !== undefined && { boot }),
  };
}

/**
 * Whether a process still takes care of its record.
 * @param writtenAt when the record was last written, in milliseconds since 1970
 */
export function isAlive({ pid, host, start, boot }: Owner, writtenAt: number): boolean {
  // A home folder may be shared by machines and containers, whose processes we do not see.
  if (host !== hostname()) return Date.now() - writtenAt < foreignSilence;
  // By the clock where there is nothing else: it jumps when a virtual machine goes on that has slept.
  const bootedAt = Date.now() - uptime() * 1000;
  const isOfThisBoot = boot === undefined ? writtenAt > bootedAt - 1000 : boot === thisBoot();
  return isOfThisBoot && pidIsAlive(pid) && startOf(pid) === start;
}

function thisBoot(): string | undefined {
  return process.platform === "linux" ? readIfThere("/proc/sys/kernel/random/boot_id")?.trim() : undefined;
}

/** Clock ticks from the system's start to the process's. */
function startOf(pid: number): string {
  // 20 words after the name comes the 22nd field.
  return process.platform === "linux" ? (statOf(pid)[19] ?? "") : "";
}
