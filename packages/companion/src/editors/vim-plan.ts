import { existsSync } from "node:fs";
import { firstSteps, type Machine, type MakePlan, requireCommand } from "./set-up/plan.ts";

/** As a package of Vim's own: no file of the user's is touched. */
export const planVim: MakePlan = (machine) => {
  requireCommand(machine);
  const { join } = machine.userFolders;
  const folder = join(vimFolder(machine), "pack", "ide", "start", "ide-companion");
  return {
    parts: [{ kind: "folder", path: folder, from: join(machine.plugins, "vim") }],
    next: [...firstSteps("Vim", machine), "`:help ide-companion` has the rest."],
  };
};

/** Vim 9.1 goes by the XDG folder where the user's vimrc is there and nowhere else. */
function vimFolder({ platform, userFolders: { home, config, join } }: Machine): string {
  if (platform === "win32") return join(home, "vimfiles");
  const usual = [join(home, ".vimrc"), join(home, ".vim", "vimrc")];
  const xdg = join(config, "vim");
  return existsSync(join(xdg, "vimrc")) && !usual.some((file) => existsSync(file)) ? xdg : join(home, ".vim");
}
