import { readFile, writeFile } from "node:fs/promises";
import type { Result } from "../run/result.ts";
import { isJson, parseJson } from "../wire/json-rpc.ts";

/** Checks that are known to fail, with the reason. */
export type Baseline = Readonly<Record<string, string>>;

/** @throws Error when there is no such file, or it is none */
export async function readBaseline(path: string): Promise<Baseline> {
  const content = parseJson(await readFile(path, "utf8"));
  const known = isJson(content) ? content.knownFailures : undefined;
  if (!isJson(known) || !Object.values(known).every((reason) => typeof reason === "string")) {
    throw new Error(`${path} is no baseline: {"knownFailures": {"check": "reason"}} was expected`);
  }
  return Object.fromEntries(Object.entries(known).map(([check, reason]) => [check, String(reason)]));
}

/** Writes what fails now; the reasons are what the checks say. */
export async function writeBaseline(path: string, results: readonly Result[]): Promise<void> {
  const failed = results.filter(({ status }) => status === "failed");
  const knownFailures = Object.fromEntries(failed.map(({ check, message = "" }) => [check, message]));
  await writeFile(path, `${JSON.stringify({ knownFailures }, null, 2)}\n`);
}

/**
 * What is wrong with a baseline: what passes now, and what is no check. What was not run says nothing.
 * @param all ids of every check there is
 */
export function staleIn(baseline: Baseline, results: readonly Result[], all: readonly string[]): string[] {
  const passed = results.filter(({ status }) => status === "passed").map(({ check }) => check);
  return Object.keys(baseline).flatMap((check) => {
    if (!all.includes(check)) return `the baseline knows ${check}, which is no check`;
    return passed.includes(check) ? `the baseline knows ${check} to fail, and it passes: take it out` : [];
  });
}
