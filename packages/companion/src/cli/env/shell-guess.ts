import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { type Shell, shells } from "./shells.ts";

export interface ShellSigns {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The name of the process that has started us, as far as it is known. */
  readonly parent: string;
}

/** Tells what will read our lines: by the process that has started us, or else by the user's usual shell. */
export function guessShell({ platform, env, parent }: ShellSigns): Shell {
  const usual = env.SHELL?.split(/[\\/]/).at(-1) ?? "";
  const known = [parent, usual].map(findShell).find((shell) => shell !== undefined);
  if (known) return known;
  // Only cmd sets a prompt in the environment of its children.
  if (platform === "win32" && !env.SHELL) return env.PROMPT === undefined ? shells.powershell : shells.cmd;
  return shells.sh;
}

function findShell(process: string): Shell | undefined {
  const name = process
    .replace(/^-/, "")
    .replace(/\.exe$/i, "")
    .toLowerCase();
  if (["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash"].includes(name)) return shells.sh;
  if (name === "fish") return shells.fish;
  return name === "pwsh" || name === "powershell" ? shells.powershell : undefined;
}

/** The name of the process that has started us; empty when it is not known. */
export async function parentName(platform = process.platform, pid = process.ppid): Promise<string> {
  try {
    if (platform === "win32") return "";
    if (platform === "linux") return (await readFile(`/proc/${pid}/comm`, "utf8")).trim();
    const { stdout } = await promisify(execFile)("ps", ["-o", "comm=", "-p", String(pid)]);
    return stdout.trim().split("/").at(-1) ?? "";
  } catch {
    return ""; // the environment tells more
  }
}
