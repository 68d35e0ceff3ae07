import path from "node:path";
import { toWorkspacePath } from "../../../files/workspace-path.ts";
import type { Host } from "../../../system/host.ts";
import type { Address, DiscoveryEntry } from "../../agent.ts";
import { hasEmptyPrompt, read, type ServedAgent } from "../quirks.ts";

/**
 * Qwen Code. Its specification documents one file, its current version reads another, its older ones two more.
 * @see docs/reference/contract.md#2-discovery
 */
export const qwen: ServedAgent = {
  name: "qwen",
  displayName: "Qwen Code",
  command: "qwen",
  installCommand: "npm install --global @qwen-code/qwen-code",
  connectCommand: "/ide enable",
  resumeArguments: ["--continue"],
  ownExtension: "qwenlm.qwen-code-vscode-ide-companion",
  portVariable: "QWEN_CODE_IDE_SERVER_PORT",

  hasEmptyPrompt,

  quirks: {
    ignoresEmptyText: true,
    dropsByteOrderMark: false,
    outwaitsCompanion: true,
    opensOneDiff: false,
    closeDiffAnswer: (content) => content,
  },

  discoveryFiles(address, host) {
    const content = discoveryContent(address, host);
    const documented = documentedFolders(host);
    const locks = lockFolder(host);
    const entries: readonly DiscoveryEntry[] = [
      {
        path: path.join(documented[1], `qwen-code-ide-server-${address.pid}-${address.port}.json`),
        folders: documented,
        content,
      },
      // Only the innermost folder is ours: the CLI's own home may well be a symlink to somebody's dotfiles.
      { path: path.join(locks, `${address.port}.lock`), folders: [locks], content },
      { path: path.join(host.tmp, `qwen-code-ide-server-${address.port}.json`), folders: [], content },
      {
        path: path.join(host.tmp, `qwen-code-ide-server-${address.pid}.json`),
        folders: [],
        content,
        shared: true,
      },
    ];
    return entries;
  },

  discoveryFolders: (host) => [
    { path: documentedFolders(host)[1], parseName: parseDocumentedName, read },
    { path: lockFolder(host), parseName: parseLockName, read },
    { path: host.tmp, parseName: parseLegacyName, read },
  ],

  terminalEnv: (address, host) => ({
    QWEN_CODE_IDE_SERVER_PORT: String(address.port),
    QWEN_CODE_IDE_WORKSPACE_PATH: toWorkspacePath(address.roots, host),
  }),
};

function discoveryContent(address: Address, host: Host) {
  return {
    port: address.port,
    workspacePath: toWorkspacePath(address.roots, host),
    authToken: address.token,
    // Without it the CLI deletes the file of a companion with several roots.
    ppid: address.pid,
    ideName: address.ide.displayName,
    // Its connectionStatus lets the CLI connect outside of a VS Code terminal.
    ideInfo: address.ide,
    serverPid: address.serverPid,
  };
}

function parseDocumentedName(name: string) {
  const [, pid, port] = /^qwen-code-ide-server-(\d+)-(\d+)\.json$/.exec(name) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), port: Number(port) };
}

function parseLockName(name: string) {
  const [, port] = /^(\d+)\.lock$/.exec(name) ?? [];
  return port === undefined ? undefined : { port: Number(port) };
}

/** The number is a process id or a port: the name alone does not tell. */
const parseLegacyName = (name: string) => (/^qwen-code-ide-server-\d+\.json$/.test(name) ? {} : undefined);

/** Where its specification wants the file, which it does not read. */
function documentedFolders(host: Host): [outer: string, inner: string] {
  const outer = path.join(host.tmp, "qwen");
  return [outer, path.join(outer, "ide")];
}

/** The folder of the lock files that it reads. */
export const lockFolder = (host: Host): string => path.join(qwenHome(host), "ide");

/** `$QWEN_HOME`, in which the CLI expands a leading tilde, or `~/.qwen`, or that in tmp when there is no home. */
export function qwenHome({ env, home, tmp }: Host): string {
  const given = env.QWEN_HOME;
  if (!given) return path.join(home || tmp, ".qwen");
  if (!/^~([\\/]|$)/.test(given)) return path.resolve(given);
  return path.join(home, ...given.slice(1).split(/[\\/]+/));
}
