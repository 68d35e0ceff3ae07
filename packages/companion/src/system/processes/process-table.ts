import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { tryParseJson } from "../json.ts";

/** One process, as its system lists it. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parentPid: number;
  /** The program's name, as far as its command line tells. */
  readonly name: string;
  /** The whole command line; empty when it is hidden from us. */
  readonly command: string;
}

/** What runs on a machine, by process id. */
export type ProcessTable = ReadonlyMap<number, ProcessInfo>;

/** How far agent CLIs walk; a real tree is never that deep. */
const maxDepth = 32;

/** A process and those above it, itself first, as far as they are known. */
export function lineageOf(table: ProcessTable, pid: number): readonly ProcessInfo[] {
  const lineage: ProcessInfo[] = [];
  for (let next = table.get(pid); next && lineage.length < maxDepth; next = table.get(next.parentPid)) {
    lineage.push(next);
    if (next.parentPid === next.pid) break;
  }
  return lineage;
}

/** Reads what `ps -o pid=,ppid=,command=` prints on Linux and macOS. Lines that are none of its are left out. */
export function parsePs(text: string): ProcessTable {
  const table = new Map<number, ProcessInfo>();
  for (const line of text.split("\n")) {
    const [, pid, parentPid, command = ""] = /^\s*(\d+)\s+(\d+)(?:\s+(.*?))?\s*$/.exec(line) ?? [];
    if (pid === undefined) continue;
    // Both CLIs take what stands before the first space, also of a path that has spaces in it.
    const name = path.posix.basename(command.split(" ")[0] ?? "");
    table.set(Number(pid), { pid: Number(pid), parentPid: Number(parentPid), name, command });
  }
  return table;
}

const Win32Process = z.object({
  ProcessId: z.int(),
  ParentProcessId: z.int().nullish(),
  Name: z.string().nullish(),
  CommandLine: z.string().nullish(),
});

/**
 * Reads what PowerShell prints of `Win32_Process` as JSON: a list, or a single object.
 * What is no process is left out.
 */
export function parseWin32Processes(json: string): ProcessTable {
  const table = new Map<number, ProcessInfo>();
  for (const item of [tryParseJson(json)].flat()) {
    const found = Win32Process.safeParse(item);
    if (!found.success) continue;
    const { ProcessId: pid, ParentProcessId, Name, CommandLine } = found.data;
    table.set(pid, { pid, parentPid: ParentProcessId ?? 0, name: Name ?? "", command: CommandLine ?? "" });
  }
  return table;
}

const run = promisify(execFile);

/** Longer than either CLI waits, in milliseconds. */
const timeout = 5000;

const list =
  "Get-CimInstance Win32_Process | Select-Object ProcessId,ParentProcessId,Name,CommandLine | ConvertTo-Json -Compress";

/**
 * Lists the processes of this machine by the programs that the CLIs use, too. Where these are missing the table is
 * empty, and a CLI knows as little.
 */
export async function readProcessTable(platform: NodeJS.Platform = process.platform): Promise<ProcessTable> {
  const [program, args, parse] =
    platform === "win32"
      ? (["powershell", ["-NoProfile", "-NonInteractive", "-Command", list], parseWin32Processes] as const)
      : (["ps", ["-A", "-ww", "-o", "pid=,ppid=,command="], parsePs] as const);
  try {
    const { stdout } = await run(program, [...args], { timeout, maxBuffer: 64 * 1024 * 1024 });
    return parse(stdout);
  } catch {
    return new Map(); // no such program, or one that knows no such options: a busybox
  }
}
