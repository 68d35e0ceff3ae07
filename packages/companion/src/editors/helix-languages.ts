import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Machine } from "./set-up/plan.ts";

/** How many questions Helix answers at once. */
const atOnce = 8;

/**
 * Every language that Helix knows on this machine, each with the servers that Helix would ask.
 * @returns in Helix's order; none where there is no Helix
 */
export async function findLanguages(machine: Machine): Promise<ReadonlyMap<string, readonly string[]>> {
  const program = machine.find("hx") ?? machine.find("helix");
  if (program === undefined) return new Map();
  const health = async (...about: readonly string[]) =>
    stripVTControlCharacters(await machine.run(program, ["--health", ...about]));
  const overview = await health();
  const names = parseLanguages(overview).flatMap((name) => complete(name, overview));
  const found = new Map<string, readonly string[]>();
  for (let index = 0; index < names.length; index += atOnce) {
    const some = names.slice(index, index + atOnce);
    const details = await Promise.all(some.map((name) => health(name)));
    for (const [place, name] of some.entries()) {
      const servers = parseServers(details[place] ?? "");
      // A name that Helix does not know would make the whole file invalid.
      if (servers) found.set(name, servers);
    }
  }
  return found;
}

/**
 * The languages of the table. Long names end with an ellipsis.
 * @param overview what `hx --health` prints
 */
export function parseLanguages(overview: string): readonly string[] {
  const lines = overview.split(/\r?\n/);
  const first = lines.findIndex((line) => line.startsWith("Language "));
  // Further servers of the same language stand in separate lines.
  return first < 0 ? [] : lines.slice(first + 1).flatMap((line) => /^\S+/.exec(line)?.[0] ?? []);
}

/** All languages that a name may stand for; Helix has a folder of queries for each that it knows. */
function complete(name: string, overview: string): readonly string[] {
  if (!name.endsWith("…")) return [name];
  const folders = /^Runtime directories: (.+)$/m.exec(overview)?.[1]?.split(";") ?? [];
  const known = folders
    .map((folder) => path.join(folder.trim(), "queries"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder));
  return [...new Set(known)].filter((each) => each.startsWith(name.slice(0, -1))).sort();
}

/**
 * @param details what `hx --health LANGUAGE` prints, without colours
 * @returns the names of its servers, in their order; undefined when there is no such language
 */
export function parseServers(details: string): readonly string[] | undefined {
  if (/^Configured language servers: None$/m.test(details)) return [];
  const [, list] = /^Configured language servers:\r?\n((?: +[✓✘] .*\r?\n?)*)/m.exec(details) ?? [];
  return list === undefined
    ? undefined
    : [...list.matchAll(/^ +[✓✘] ([^:\n]+):/gm)].map(([, name = ""]) => name);
}
