import { existsSync } from "node:fs";
import { firstSteps, type Machine, type MakePlan, toServerCommand } from "./set-up/plan.ts";
import { isManuallySetUp, manuallySetUp } from "./set-up/text-file.ts";

export const planEmacs: MakePlan = (machine) => {
  const command = toServerCommand(machine);
  const { join, data } = machine.userFolders;
  const folder = join(data, "ide-companion", "emacs");
  const init = initFile(machine);
  if (isManuallySetUp(init, ";;", /\(require 'ide-companion\)|\(use-package ide-companion\b/))
    return manuallySetUp;
  const lines = [
    `(add-to-list 'load-path ${quote(toTilde(folder, machine))})`,
    // Emacs's own default is the name alone.
    ...(command[0] === "ide-companion"
      ? []
      : [`(setq ide-companion-command '(${command.map(quote).join(" ")}))`]),
    // The same file may be used on a machine without it.
    "(when (require 'ide-companion nil t)",
    "  (ide-companion-mode 1))",
  ];
  return {
    parts: [
      { kind: "folder", path: folder, from: join(machine.plugins, "emacs") },
      { kind: "file", path: init, edit: { kind: "block", comment: ";;", lines } },
    ],
    next: [...firstSteps("Emacs", machine), "`M-x ide-companion-doctor` shows what is missing."],
  };
};

/**
 * The init file that Emacs 27 and later read, or would read if it were there.
 * @see https://www.gnu.org/software/emacs/manual/html_node/emacs/Find-Init.html
 */
function initFile(machine: Machine): string {
  const { userFolders, host } = machine;
  const { config, join } = userFolders;
  const base = emacsHome(machine);
  const inBase = (name: string) => join(base, name);
  const xdg = join(host.env.XDG_CONFIG_HOME ? config : inBase(".config"), "emacs");
  const usual = [".emacs.d", ".emacs"].map(inBase).some((file) => existsSync(file));
  if (!usual && existsSync(xdg)) return join(xdg, "init.el");
  const single = [".emacs.el", ".emacs"].map(inBase).find((file) => existsSync(file));
  return single ?? join(base, ".emacs.d", "init.el");
}

/** What Emacs takes `~` for: on Windows without a HOME variable, the roaming files. */
const emacsHome = ({ userFolders: { home, roaming }, platform, host }: Machine): string =>
  platform === "win32" ? host.env.HOME || roaming : home;

/** As it is read on every machine that shares the file. */
function toTilde(folder: string, machine: Machine): string {
  const inHome = machine.userFolders.join(emacsHome(machine), "x").slice(0, -1);
  return folder.startsWith(inHome) ? `~/${folder.slice(inHome.length)}` : folder;
}

const quote = (text: string) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
