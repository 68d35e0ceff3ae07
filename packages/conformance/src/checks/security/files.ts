import { lstat, stat } from "node:fs/promises";
import path from "node:path";
import { demandNone, NotRun } from "../../assertions.ts";
import type { Check } from "../check.ts";

/** @throws NotRun where files have no modes. */
function needModes(): void {
  if (process.platform === "win32") throw new NotRun("files have no modes on Windows");
}

const octal = (mode: number) => `0${(mode & 0o777).toString(8)}`;

export const fileMode: Check = {
  id: "file-mode",
  title: "only its owner can read a discovery file",
  requirements: ["S12"],
  lane: "wire",
  needs: ["files"],
  async run({ target, note }) {
    needModes();
    const problems: string[] = [];
    for (const file of target.files) {
      const { mode, uid } = await lstat(file.path);
      note(`${file.path}: ${octal(mode)}, of user ${uid}`);
      if ((mode & 0o077) !== 0) problems.push(`${file.path} has the mode ${octal(mode)}, not 0600`);
      if (uid !== process.getuid?.()) problems.push(`${file.path} belongs to user ${uid}`);
    }
    demandNone(problems);
  },
};

export const folderMode: Check = {
  id: "folder-mode",
  title: "only its owner can use the folder of a discovery file",
  requirements: ["S13"],
  lane: "wire",
  needs: ["files"],
  async run({ target, note }) {
    needModes();
    // Files of the oldest kind are in the temporary folder itself, which all users share.
    const folders = new Set(target.files.map((file) => path.dirname(file.path)));
    folders.delete(target.systemFolders.tmp);
    const problems: string[] = [];
    for (const folder of folders) {
      const { mode, uid } = await stat(folder);
      note(`${folder}: ${octal(mode)}, of user ${uid}`);
      if ((mode & 0o077) !== 0) problems.push(`${folder} has the mode ${octal(mode)}, not 0700`);
      if (uid !== process.getuid?.()) problems.push(`${folder} belongs to user ${uid}`);
    }
    demandNone(problems);
  },
};
