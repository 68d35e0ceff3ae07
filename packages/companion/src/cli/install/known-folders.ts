import type { UserFoldersOptions } from "./user-folders.ts";
import { toUserFolders } from "./user-folders.ts";

/** Editors that bring a command-line tool along, and may not have put it into the PATH: their names as programs. */
const names: Readonly<Record<string, { readonly mac: string; readonly windows?: string }>> = {
  code: { mac: "Visual Studio Code", windows: "Microsoft VS Code" },
  "code-insiders": { mac: "Visual Studio Code - Insiders", windows: "Microsoft VS Code Insiders" },
  codium: { mac: "VSCodium", windows: "VSCodium" },
  cursor: { mac: "Cursor" },
  windsurf: { mac: "Windsurf" },
  positron: { mac: "Positron" },
  antigravity: { mac: "Antigravity" },
};

/** Where a command-line tool lies when its editor was installed as its makers have it. */
export function knownFolders(program: string, options: UserFoldersOptions): readonly string[] {
  const name = names[program];
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
