import os from "node:os";
import path from "node:path";

/** Where a machine keeps what agents read; an argument, so that tests have a private one. */
export interface Host {
  /** `os.tmpdir()` */
  readonly tmp: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `path.delimiter` of the system. */
  readonly delimiter: string;
}

/** This machine as it is now. */
export function systemHost(): Host {
  return { tmp: os.tmpdir(), home: os.homedir(), env: process.env, delimiter: path.delimiter };
}

/** Where we keep what has to outlast this process, the machine's restart included. */
export function stateFolder({ env, home }: Host, platform: NodeJS.Platform = process.platform): string {
  return path.join(baseFolder(env, home, platform), "ide-companion");
}

/** Where recovered edits lie, those of every companion of this user. */
export const editsFolder = (host: Host) => path.join(stateFolder(host), "edits");

function baseFolder(env: Host["env"], home: string, platform: NodeJS.Platform): string {
  if (platform === "win32") return env.LOCALAPPDATA || path.join(home, "AppData", "Local");
  // Not Caches, which the system may empty.
  if (platform === "darwin") return path.join(home, "Library", "Application Support");
  const given = env.XDG_STATE_HOME;
  return given && path.isAbsolute(given) ? given : path.join(home, ".local", "state");
}
