import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type ProcessTable, parsePs, parseWin32Processes } from "./process-table.ts";

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
