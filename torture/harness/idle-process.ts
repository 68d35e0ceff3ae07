import { type ChildProcess, spawn } from "node:child_process";
import type { Sandbox } from "./sandbox.ts";

/** A process that does nothing: it lends its id to an editor or to a foreign process. */
export function startIdleProcess(sandbox: Sandbox): ChildProcess {
  const args = ["--eval", "process.stdin.resume()"];
  return sandbox.own(spawn(process.execPath, args, { stdio: ["pipe", "ignore", "ignore"] }));
}
