import { editors } from "../editors.ts";
import type { UserFoldersOptions } from "./user-folders.ts";
import { toUserFolders } from "./user-folders.ts";

/**
 * Where a command-line tool lies when its editor was installed as its makers have it: an editor that brings one along may
 * not have put it into the PATH.
 */
export function knownFolders(program: string, options: UserFoldersOptions): readonly string[] {
  const name = editors.find(({ install }) => install?.programs.includes(program))?.install?.app;
  if (!name) return [];
  const { home, join } = toUserFolders(options);
  if (options.platform === "darwin") {
    const inApp = [`${name.mac}.app`, "Contents", "Resources", "app", "bin", program];
    return ["/Applications", join(home, "Applications")].map((folder) => join(folder, ...inApp));
  }
  if (options.platform !== "win32" || name.windows === undefined) return [];
  const own = join(options.env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "Programs");
  const all = options.env.ProgramFiles ?? "C:\\Program Files";
  return [own, all].map((folder) => join(folder, name.windows ?? "", "bin", `${program}.cmd`));
}
