import { readFileSync } from "node:fs";
import { hostname, uptime } from "node:os";
import { pidIsAlive } from "../../system/liveness.ts";
import type { RecoveredEdits } from "./recovered-edits.ts";

/** What is in the file of a text. */
export interface EditsRecord extends RecoveredEdits {
  /** The process that still takes care of it; absent once the text waits for its user. */
  readonly owner?: Owner;
}

/** @throws Error that says what is wrong */
export function parseRecord(text: string): EditsRecord {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error("it is no object");
  const { owner } = value;
  const string = (name: string) => {
    const found = value[name];
    if (typeof found !== "string") throw new Error(`${name} is missing`);
    return found;
  };
  if (typeof value.at !== "number") throw new Error("at is missing");
  return {
    id: string("id"),
    filePath: string("filePath"),
    agent: string("agent"),
    at: value.at,
    reason: string("reason"),
    proposed: string("proposed"),
    text: string("text"),
    ...(owner === undefined ? {} : { owner: parseOwner(owner) }),
  };
}

function parseOwner(value: unknown): Owner {
  if (!isObject(value)) throw new Error("owner is no object");
  const { pid, host, start } = value;
  if (typeof pid !== "number" || typeof host !== "string" || typeof start !== "string") {
    throw new Error("owner is incomplete");
  }
  return { pid, host, start };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The process that still takes care of a text. */
interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Tells the process from a later one with its number; empty where the system does not say. */
  readonly start: string;
}

/** How long the owner on another machine, or in another container, may be silent; in milliseconds. */
const foreignSilence = 10 * 60_000;

export function thisProcess(): Owner {
  return { pid: process.pid, host: hostname(), start: startOf(process.pid) };
}

/**
 * Whether a process still takes care of its text.
 * @param writtenAt when the text was last written, in milliseconds since 1970
 */
export function isAlive({ pid, host, start }: Owner, writtenAt: number): boolean {
  // A home folder may be shared by machines and containers, whose processes we do not see.
  if (host !== hostname()) return Date.now() - writtenAt < foreignSilence;
  const bootedAt = Date.now() - uptime() * 1000;
  return writtenAt > bootedAt - 1000 && pidIsAlive(pid) && startOf(pid) === start;
}

/** Clock ticks from the system's start to the process's. */
function startOf(pid: number): string {
  if (process.platform !== "linux") return "";
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name may hold spaces and brackets; 20 words after it comes the 22nd field.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return ""; // it has ended meanwhile
  }
}
