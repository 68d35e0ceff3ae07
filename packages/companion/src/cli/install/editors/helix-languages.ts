import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Machine } from "../installer.ts";

/** The languages for which Helix finds a server on this machine, each with all servers that it would ask. */
export async function languagesInUse(
  machine: Machine,
): Promise<readonly (readonly [string, readonly string[]])[]> {
  const program = machine.find("hx") ?? machine.find("helix");
  if (program === undefined) return [];
  const health = async (...about: readonly string[]) =>
    stripVTControlCharacters(await machine.run(program, ["--health", ...about]));
  const overview = await health();
  const names = parseServed(overview).flatMap((name) => complete(name, overview));
  const found: (readonly [string, readonly string[]])[] = [];
  for (const name of names) {
    const servers = parseServers(await health(name));
    if (servers.some(({ isThere }) => isThere)) found.push([name, servers.map((server) => server.name)]);
  }
  return found;
}

/**
 * The languages of the table whose second column has a tick. Long names end with an ellipsis.
 * @param overview what `hx --health` prints
 */
export function parseServed(overview: string): readonly string[] {
  const lines = overview.split(/\r?\n/);
  const first = lines.findIndex((line) => line.startsWith("Language "));
  const column = lines[first]?.indexOf("Language", 1) ?? -1;
  const served = new Set<string>();
  let language = "";
  for (const line of first < 0 ? [] : lines.slice(first + 1)) {
    // Further servers of the same language stand in lines of their own.
    language = /^\S+/.exec(line)?.[0] ?? language;
    if ([...line][column] === "✓") served.add(language);
  }
  return [...served];
}

/** All languages that a name may stand for; Helix has a folder of queries for each that it knows. */
function complete(name: string, overview: string): readonly string[] {
  if (!name.endsWith("…")) return [name];
  const folders = /^Runtime directories: (.+)$/m.exec(overview)?.[1]?.split(";") ?? [];
  const known = folders
    .map((folder) => path.join(folder.trim(), "queries"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder));
  return [...new Set(known)].filter((each) => each.startsWith(name.slice(0, -1)));
}

/** @param details what `hx --health LANGUAGE` prints, without colours */
export function parseServers(
  details: string,
): readonly { readonly name: string; readonly isThere: boolean }[] {
  const [, list = ""] = /^Configured language servers:\r?\n((?: +[✓✘] .*\r?\n?)*)/m.exec(details) ?? [];
  return [...list.matchAll(/^ +([✓✘]) ([^:\n]+):/gm)].map(([, mark, name = ""]) => ({
    name,
    isThere: mark === "✓",
  }));
}
