import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildPage } from "../build.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the built page. */
    assets: string;
  }
}

/** Builds the page once for all tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const assets = await mkdtemp(join(tmpdir(), "review-page-"));
  await buildPage(assets);
  project.provide("assets", assets);
  return () => rm(assets, { recursive: true, force: true });
}
