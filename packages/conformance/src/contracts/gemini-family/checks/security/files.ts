import { chmod, lstat, mkdir, readdir, stat, symlink } from "node:fs/promises";
import path from "node:path";
import { agentNames, agents, type FileKind } from "../../../../agents.ts";
import type { Sandbox, SystemFolders } from "../../../../target/folders.ts";
import { demandNone, NotRun } from "../../../check.ts";
import { currentKinds, folderOf } from "../../target/discovery-file.ts";
import type { Check } from "../means.ts";

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

const foldersOf = (systemFolders: SystemFolders) => currentKinds.map((kind) => folderOf(kind, systemFolders));

/** The kind of file that each CLI prefers. */
const preferredKinds = agentNames.flatMap((agent) => agents[agent].files[0]?.kind ?? []);

/** @throws NotRun elsewhere. */
function needUnix(): void {
  if (process.platform === "win32") throw new NotRun("links and modes work differently on Windows");
}

export const appearsWhole: Check = {
  id: "appears-whole",
  title: "a discovery file appears complete, by a rename",
  requirements: ["S14"],
  lane: "parallel",
  needs: ["command"],
  async run({ parallel }) {
    if (process.platform !== "linux") throw new NotRun("only Linux reports each step of creating a file");
    const { steps } = await parallel.first();
    const changed = new Set(steps.filter(({ how }) => how === "change").map((step) => step.path));
    demandNone(
      [...changed].map((file) => `${file} was written or changed in place, where a CLI may read half of it`),
    );
  },
};

export const linkedFolder: Check = {
  id: "linked-folder",
  title: "nothing is written to a folder that was replaced by a symbolic link",
  requirements: ["S15"],
  lane: "process",
  needs: ["command"],
  async run({ start, note }) {
    needUnix();
    const problems: string[] = [];
    // Not all at once: a companion that does not write through links would have no file left.
    for (const linked of [preferredKinds, currentKinds.filter((kind) => !preferredKinds.includes(kind))]) {
      const traps = new Map<FileKind, string>();
      const prepare = async ({ systemFolders, workspace }: Sandbox) => {
        for (const kind of linked) {
          const [link, trap] = [folderOf(kind, systemFolders), path.join(workspace, "..", `trap-${kind}`)];
          await mkdir(trap);
          await mkdir(path.dirname(link), { recursive: true, mode: 0o700 });
          await symlink(trap, link);
          traps.set(kind, trap);
        }
      };
      const failure = await start({ prepare }).then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (failure !== undefined)
        note(`With linked folders of ${linked.join(" and ")} it does not start: ${failure}`);
      for (const [kind, trap] of traps) {
        const files = await readdir(trap);
        if (files.length > 0)
          problems.push(`through a link at the folder of ${kind} it has written ${files.join(", ")}`);
      }
    }
    demandNone(problems);
  },
};

export const openFolder: Check = {
  id: "open-folder",
  title: "a folder that other users may write to is made private, or not used",
  requirements: ["S16"],
  lane: "process",
  needs: ["command"],
  async run({ start, note }) {
    needUnix();
    const prepare = async ({ systemFolders }: Sandbox) => {
      for (const folder of foldersOf(systemFolders)) {
        await mkdir(folder, { recursive: true });
        await chmod(folder, 0o777); // whatever the umask says
      }
    };
    const failure = await start({ prepare }).then(
      async ({ sandbox, files }) => {
        const problems: string[] = [];
        for (const folder of new Set((await files()).map((file) => path.dirname(file.path)))) {
          const { mode } = await stat(folder);
          if ((mode & 0o022) !== 0)
            problems.push(`${path.relative(sandbox.systemFolders.tmp, folder)} is still open to other users`);
        }
        demandNone(problems);
      },
      (error: Error) => error,
    );
    if (failure) note(`It does not start: ${failure.message}`);
  },
};
