import path from "node:path";
import { namesIn } from "../system/disk.ts";
import { InstallError, type Machine, type MakePlan } from "./set-up/plan.ts";

/**
 * The extension brings all that it needs with it: no command has to be in the PATH.
 * @param program the command-line tool that comes with the editor
 */
export const planVscode =
  (displayName: string, program: string): MakePlan =>
  (machine) => {
    const tool = machine.find(program);
    if (tool === undefined) {
      throw new InstallError(
        `there is no ${program} in your PATH, the command-line tool that ${displayName} comes with`,
      );
    }
    const { file, version } = findPackage(machine);
    return {
      parts: [{ kind: "extension", program: tool, id: "ide-companion.ide-companion-vscode", version, file }],
      next: [
        `Start ${machine.agentCommands} in a terminal of ${displayName}: its status bar shows who is connected.`,
        "A window that is open has to be loaded again: Developer: Reload Window.",
      ],
    };
  };

function findPackage({ plugins }: Machine): { readonly file: string; readonly version: string } {
  const folder = path.join(plugins, "vscode");
  for (const name of namesIn(folder)) {
    const version = /^ide-companion-(.+)\.vsix$/.exec(name)?.[1];
    if (version !== undefined) return { file: path.join(folder, name), version };
  }
  throw new InstallError(
    "this ide-companion was packed without the extension of VS Code: npm run package makes it",
  );
}
