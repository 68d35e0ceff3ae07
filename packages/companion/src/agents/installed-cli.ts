import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { foldersUpwards, readIfThere } from "../system/disk.ts";
import { findExecutable, type Host } from "../system/host.ts";
import { tryParseJson } from "../system/json.ts";
import { toShellWord } from "../system/shell-word.ts";
import type { AgentCli, AgentIdentity } from "./agent.ts";

const Package = z.object({
  name: z.string(),
  version: z.string(),
  engines: z.object({ node: z.string().optional() }).optional(),
});

export type Package = z.infer<typeof Package>;

/**
 * Finds an agent's CLI as it would be started in this terminal, by its files alone: nothing of it is run.
 * @returns the absolute path of its executable, and its npm package, if it belongs to one and not by a wrapper;
 *   undefined when it is not in the PATH
 */
export function findInstalledCli(agent: AgentIdentity, cli: Pick<AgentCli, "packageName">, host: Host) {
  const file = findExecutable(agent.command, host);
  return file === undefined ? undefined : { file, package: readPackage(file, cli.packageName) };
}

/** The version of Node that the executable would run with, `v20.19.0`, if that is older than the package needs. */
export async function findTooOldNode(found: Package | undefined, { env }: Host) {
  const needed = Number(/(\d+)/.exec(found?.engines?.node ?? "")?.[1]);
  if (!needed) return undefined;
  try {
    const { stdout } = await promisify(execFile)("node", ["--version"], { env: { ...env }, timeout: 5000 });
    const version = stdout.trim();
    return Number(/^v(\d+)/.exec(version)?.[1]) < needed ? { needed, version } : undefined;
  } catch {
    return undefined; // no Node in the PATH: the CLI brings its own, or its start will tell
  }
}

/** Compares the numbers of two versions, `0.30.1` and `0.31.0-preview.2`; what follows them does not count. */
export function isOlder(version: string, than: string): boolean {
  const [one, other] = [numbersOf(version), numbersOf(than)];
  const difference = one.map((number, index) => number - (other[index] ?? 0)).find((each) => each !== 0);
  return difference !== undefined && difference < 0;
}

/**
 * The command that starts a companion which CLIs in this terminal find. In another terminal, too: a TMPDIR that is set
 * here may not be set there.
 */
export function toStartCommand(folder: string, { env }: Host, platform = process.platform): string {
  const command = `ide-companion ${toShellWord(folder, platform)}`;
  // On macOS each user has one, in all terminals; Windows has other variables, and everywhere the same.
  const isUsual = !env.TMPDIR || platform === "darwin" || platform === "win32";
  return isUsual ? command : `TMPDIR=${toShellWord(env.TMPDIR ?? "", platform)} ${command}`;
}

/**
 * What is to be done about a folder whose path has the delimiter of lists of paths in it: every CLI takes it for two.
 * @returns undefined for all other folders
 */
export function toRenaming(folder: string, host: Host, platform = process.platform): string | undefined {
  if (!folder.includes(host.delimiter)) return undefined;
  const system = platform === "win32" ? path.win32 : path.posix;
  const moves: string[] = [];
  const { root } = system.parse(folder);
  let renamed = root;
  for (const name of folder.slice(root.length).split(system.sep)) {
    const from = system.join(renamed, name);
    renamed = name.includes(host.delimiter)
      ? toFreePath(system.join(renamed, name.replaceAll(host.delimiter, "-")))
      : from;
    if (renamed !== from) moves.push(toMove(from, renamed, platform));
  }
  return [...moves, toStartCommand(renamed, host, platform)].join(" && ");
}

const numbersOf = (version: string): readonly number[] => {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return numbers.map(Number);
};

/** The package that an executable belongs to: it is a link into it, or stands next to `node_modules` on Windows. */
function readPackage(executable: string, name: string): Package | undefined {
  const sibling = path.join(path.dirname(executable), "node_modules", name);
  const [nearest = "", ...above] = foldersUpwards(path.dirname(realpathSync(executable)));
  for (const folder of [nearest, sibling, ...above]) {
    const found = parsePackage(path.join(folder, "package.json"));
    if (found && isPackage(found, name)) return { ...found, version: found.version.replace(platform, "") };
  }
  return undefined;
}

/** What a package's name, or its version, has at its end where it is for one platform. */
const platform = /-(linux|darwin|win32|linuxmusl)-\w+(-\w+)?$/;

const isPackage = (found: Package, name: string): boolean => found.name.replace(platform, "") === name;

const parsePackage = (file: string): Package | undefined =>
  Package.safeParse(tryParseJson(readIfThere(file) ?? "")).data;

/** Moving onto a folder that is there would move into it. */
const toFreePath = (wanted: string): string => (existsSync(wanted) ? toFreePath(`${wanted}-`) : wanted);

function toMove(from: string, to: string, platform: NodeJS.Platform): string {
  const command = platform === "win32" ? "move" : "mv";
  return `${command} ${toShellWord(from, platform)} ${toShellWord(to, platform)}`;
}
