import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";

/** Whether this process has its terminal, and is not a job in the background. */
export async function isForeground(): Promise<boolean> {
  if (process.platform === "win32") return true;
  if (process.platform === "linux") return hasTerminal(readFileSync("/proc/self/stat", "utf8"));
  return new Promise((resolve) => {
    execFile("ps", ["-o", "stat=", "-p", String(process.pid)], (error, stdout) =>
      resolve(error === null && stdout.includes("+")),
    );
  });
}

/** Reads `/proc/PID/stat`: after the name in brackets come state, parent, group, session, terminal, its group. */
export function hasTerminal(stat: string): boolean {
  const [, , group, , , terminalGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return group !== undefined && group === terminalGroup;
}
