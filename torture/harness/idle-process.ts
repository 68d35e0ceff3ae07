import { type ChildProcess, spawn } from "node:child_process";
import type { Sandbox } from "./sandbox.ts";

/** A process that has nothing but an id of its own, for an editor or a stranger. */
export function startIdleProcess(sandbox: Sandbox): ChildProcess {
  const args = ["--eval", "process.stdin.resume()"];
  return sandbox.own(spawn(process.execPath, args, { stdio: ["pipe", "ignore", "ignore"] }));
}
