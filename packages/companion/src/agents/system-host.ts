import os from "node:os";
import path from "node:path";
import type { Host } from "./agent.ts";

/** This machine as it is now. */
export function systemHost(): Host {
  return { tmp: os.tmpdir(), home: os.homedir(), env: process.env, delimiter: path.delimiter };
}
