import path from "node:path";
import type { Host } from "./host.ts";

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
