import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Runs a program to its end. @returns what it has printed @throws Error when it fails */
export const run = promisify(execFile);
