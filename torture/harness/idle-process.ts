import { type ChildProcess, spawn } from "node:child_process";
import type { Place } from "./place.ts";

/** A process that has nothing but an id of its own, for an editor or a stranger. */
export function startIdleProcess(place: Place): ChildProcess {
  const args = ["--eval", "process.stdin.resume()"];
  return place.own(spawn(process.execPath, args, { stdio: ["pipe", "ignore", "ignore"] }));
}
