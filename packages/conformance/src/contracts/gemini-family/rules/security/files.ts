import { chmod, mkdir, readdir, stat, symlink } from "node:fs/promises";
import path from "node:path";
import { agentNames, agents, type FileKind } from "../../../../agents.ts";
import type { Sandbox, SystemFolders } from "../../../../target/folders.ts";
import { byParallel, byStart, demandNone, NotRun, problemsOfPrivacy } from "../../../check.ts";
import { recommended, specification } from "../../../requirement.ts";
import { currentKinds, folderOf, readDiscoveryFiles } from "../../target/discovery-file.ts";
import { openAnother } from "../discovery/files.ts";
import type { FamilyGroup } from "../means.ts";

const foldersOf = (systemFolders: SystemFolders) => currentKinds.map((kind) => folderOf(kind, systemFolders));

/** The kind of file that each CLI prefers. */
const preferredKinds = agentNames.flatMap((agent) => agents[agent].files[0]?.kind ?? []);

/** @throws NotRun elsewhere. */
function needUnix(): void {
  if (process.platform === "win32") throw new NotRun("links and modes work differently on Windows");
}

export const securityFilesRules: FamilyGroup = {
  S12: {
    MUST: "A discovery file can be read and written by its owner only: mode 0600.",
    sources: specification(
      "I.2",
      "The token in it is a secret, and the temporary folder is shared with other users.",
    ),
    check: "file-mode",
    needs: ["files"],
    async run({ target: { files } }) {
      demandNone(await problemsOfPrivacy(files.map((file) => file.path)));
    },
    fault: { lockMode: 0o644, says: /has mode 644, not 600/ },
  },
  S13: {
    MUST: "The folder of a discovery file belongs to its owner only: mode 0700.",
    sources: recommended("Otherwise another user can add files there, or delete ours."),
    check: "folder-mode",
    needs: ["files"],
    async run({ target }) {
      // Files of the oldest kind are in the temporary folder itself, which all users share.
      const folders = new Set(target.files.map((file) => path.dirname(file.path)));
      folders.delete(target.systemFolders.tmp);
      demandNone(await problemsOfPrivacy([...folders]));
    },
    fault: { folderMode: 0o755, says: /has mode 755, not 700/ },
  },
  S14: {
    SHOULD:
      "A discovery file appears complete, with its mode from the first byte: written under another name, then renamed.",
    sources: recommended(
      "A CLI reads while the file is written; and write-then-chmod is a reported vulnerability.",
    ),
    check: "appears-whole",
    ...byParallel,
    async run({ parallel }) {
      if (process.platform !== "linux") throw new NotRun("only Linux reports each step of creating a file");
      const { steps } = await parallel.first();
      const changed = new Set(steps.filter(({ how }) => how === "change").map((step) => step.path));
      demandNone(
        [...changed].map(
          (file) => `${file} was written or changed in place, where a CLI may read half of it`,
        ),
      );
    },
    fault: { inPlace: true, says: /gemini-ide-server-.* was written or changed in place/ },
    more: [
      {
        check: "rewritten-whole",
        title: "a discovery file that changes is replaced by another, not written to",
        lane: "editor",
        needs: ["editor-command", "files"],
        async run(bench) {
          const before = new Map<string, number>();
          for (const { path: file } of await readDiscoveryFiles(bench.target.systemFolders)) {
            before.set(file, (await stat(file)).ino);
          }
          const problems: string[] = [];
          for (const { path: file } of await openAnother(bench, "one more folder")) {
            const { ino } = await stat(file);
            if (before.get(file) === ino)
              problems.push(`${file} was written in place, where a CLI may read half of it`);
          }
          demandNone(problems);
        },
        fault: { inPlace: true, says: /was written in place/ },
      },
    ],
  },
  S15: {
    SHOULD:
      "The companion does not write to a folder of discovery files that another user has replaced by a symbolic link.",
    sources: recommended("In a shared temporary folder any user can create that link first."),
    check: "linked-folder",
    ...byStart,
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
    fault: {
      // The proxy does not look at what is there already.
      says: /through a link at the folder of gemini-file it has written gemini-ide-server/,
    },
  },
  S16: {
    SHOULD: "A folder of discovery files that other users may write to is made private, or not used.",
    sources: recommended("It may have been made by an older program with a wide umask."),
    check: "open-folder",
    ...byStart,
    async run({ start, note }) {
      needUnix();
      const prepare = async ({ systemFolders }: Sandbox) => {
        for (const folder of foldersOf(systemFolders)) {
          await mkdir(folder, { recursive: true });
          await chmod(folder, 0o777); // whatever the umask says
        }
      };
      const failure = await start({ prepare }).then(
        async ({ sandbox: { systemFolders } }) => {
          const problems: string[] = [];
          const files = await readDiscoveryFiles(systemFolders);
          for (const folder of new Set(files.map((file) => path.dirname(file.path)))) {
            const { mode } = await stat(folder);
            if ((mode & 0o022) !== 0)
              problems.push(`${path.relative(systemFolders.tmp, folder)} is still open to other users`);
          }
          demandNone(problems);
        },
        (error: Error) => error,
      );
      if (failure) note(`It does not start: ${failure.message}`);
    },
    fault: {
      // The proxy does not look at what is there already.
      says: /gemini\/ide is still open to other users/,
    },
  },
};
