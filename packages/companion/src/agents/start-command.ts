import { existsSync } from "node:fs";
import path from "node:path";
import type { Host } from "../system/host.ts";
import { toShellWord } from "../system/shell-word.ts";

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

/** Moving onto a folder that is there would move into it. */
const toFreePath = (wanted: string): string => (existsSync(wanted) ? toFreePath(`${wanted}-`) : wanted);

function toMove(from: string, to: string, platform: NodeJS.Platform): string {
  const command = platform === "win32" ? "move" : "mv";
  return `${command} ${toShellWord(from, platform)} ${toShellWord(to, platform)}`;
}
