import path from "node:path";
import type { Host } from "../../../system/host.ts";
import type { Address } from "../../agent.ts";
import { namesOf } from "../../discovery/announced.ts";
import { qwenLocks } from "../../homes.ts";
import { type FamilyAgent, hasEmptyPrompt, ideFolders, plainQuirks, read, toContent } from "../quirks.ts";

/**
 * Qwen Code. Its specification documents one file, and it reads another.
 * @see docs/reference/contract.md#2-discovery
 */
export const qwen: FamilyAgent = {
  name: "qwen",
  displayName: "Qwen Code",
  command: "qwen",
  installCommand: "npm install --global @qwen-code/qwen-code",
  connectCommand: "/ide enable",
  resumeArguments: ["--continue"],
  ownExtension: "qwenlm.qwen-code-vscode-ide-companion",
  variables: { port: "QWEN_CODE_IDE_SERVER_PORT", workspace: "QWEN_CODE_IDE_WORKSPACE_PATH" },

  hasEmptyPrompt,

  quirks: {
    ...plainQuirks,
    ignoresEmptyText: true,
    outwaitsCompanion: true,
  },

  discoveryFiles(address, host) {
    const { pid, port } = address;
    const content = discoveryContent(address, host);
    const folders = ideFolders(host, "qwen");
    const locks = qwenLocks(host);
    return [
      { path: path.join(folders[1], `qwen-code-ide-server-${pid}-${port}.json`), folders, content },
      // Only the innermost folder is ours: the CLI's own home may well be a symlink to somebody's dotfiles.
      { path: path.join(locks, `${port}.lock`), folders: [locks], content },
    ];
  },

  discoveryFolders: (host) => [
    // Where its specification wants the file, which it does not read.
    { path: ideFolders(host, "qwen")[1], parseName: documentedNames, read },
    { path: qwenLocks(host), parseName: lockNames, read },
  ],

  loadCli: async () => (await import("./cli.ts")).qwenCli,
};

const discoveryContent = (address: Address, host: Host) => ({
  // By ideInfo, its connectionStatus lets the CLI connect outside of a VS Code terminal.
  ...toContent(address, host),
  // Without it the CLI deletes the file of a companion with several roots.
  ppid: address.pid,
  ideName: address.ide.displayName,
});

const documentedNames = namesOf(/^qwen-code-ide-server-(?<pid>\d+)-(?<port>\d+)\.json$/);

const lockNames = namesOf(/^(?<port>\d+)\.lock$/);
