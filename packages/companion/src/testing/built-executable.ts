import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of the executable. */
    executable: string;
  }
}

/** Builds the executable as it is shipped, once for all tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "ide-companion-build-"));
  const script = path.join(import.meta.dirname, "..", "..", "build.mjs");
  await promisify(execFile)(process.execPath, [script, folder]);
  project.provide("executable", path.join(folder, "ide-companion.js"));
  return () => rm(folder, { recursive: true, force: true });
}
