import { hostname, uptime } from "node:os";
import { isObject } from "./json.ts";
import { pidIsAlive, statOf } from "./liveness.ts";

/** The process that still takes care of a record. */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Tells the process from a later one with its number; empty where the system does not say. */
  readonly start: string;
}

/** @throws Error that says what is wrong */
export function parseOwner(value: unknown): Owner {
  if (!isObject(value)) throw new Error("owner is no object");
  const { pid, host, start } = value;
  if (typeof pid !== "number" || typeof host !== "string" || typeof start !== "string") {
    throw new Error("owner is incomplete");
  }
  return { pid, host, start };
}

/** How long the owner on another machine, or in another container, may be silent; in milliseconds. */
const foreignSilence = 10 * 60_000;

export function thisProcess(): Owner {
  return { pid: process.pid, host: hostname(), start: startOf(process.pid) };
}

/**
 * Whether a process still takes care of its record.
 * @param writtenAt when the record was last written, in milliseconds since 1970
 */
export function isAlive({ pid, host, start }: Owner, writtenAt: number): boolean {
  // A home folder may be shared by machines and containers, whose processes we do not see.
  if (host !== hostname()) return Date.now() - writtenAt < foreignSilence;
  const bootedAt = Date.now() - uptime() * 1000;
  return writtenAt > bootedAt - 1000 && pidIsAlive(pid) && startOf(pid) === start;
}

/** Clock ticks from the system's start to the process's. */
function startOf(pid: number): string {
  // 20 words after the name comes the 22nd field.
  return process.platform === "linux" ? (statOf(pid)[19] ?? "") : "";
}
