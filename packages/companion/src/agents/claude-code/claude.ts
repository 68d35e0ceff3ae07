import path from "node:path";
import type { Host } from "../../system/host.ts";
import { isObject, tryParseJson } from "../../system/json.ts";
import type { AgentWithCli, Announcement, FileName } from "../agent.ts";
import { namesOf, toPid } from "../discovery/announced.ts";

/**
 * Claude Code. Its makers document none of this: it is what versions 1.0, 2.0 and 2.1 do.
 * @see docs/reference/claude-code.md
 */
export const claude: AgentWithCli = {
  name: "claude",
  displayName: "Claude Code",
  command: "claude",
  installCommand: "npm install --global @anthropic-ai/claude-code",
  connectCommand: "/ide",
  resumeArguments: ["--continue"],
  variables: { port: "CLAUDE_CODE_SSE_PORT" },
  choosesNone: true,

  discoveryFiles(address, host) {
    const folder = lockFolder(path.join(host.home, ".claude"));
    const content = {
      // In a terminal of an editor, the CLI uses the lock of one of its parent processes alone.
      pid: address.pid,
      workspaceFolders: address.roots,
      ideName: address.ide.displayName,
      transport: "ws",
      runningInWindows: false,
      authToken: address.token,
      // Not the CLI's: by it our own sweep knows our files.
      serverPid: address.serverPid,
    };
    // One file alone: a CLI for which two locks match connects to neither, and it reads this folder in any case.
    return [{ path: path.join(folder, `${address.port}.lock`), folders: [folder], content }];
  },

  discoveryFolders: (host) =>
    configFolders(host).map((folder) => ({ path: lockFolder(folder), parseName, read: readLock })),

  loadCli: async () => (await import("./claude-cli.ts")).claudeCli,
};

/** opencode, which a companion serves as it serves Claude Code: it reads the same lock files, and shows no diffs. */
export const opencode: AgentWithCli = {
  name: "opencode",
  displayName: "opencode",
  command: "opencode",
  installCommand: "npm install --global opencode-ai",
  connectCommand: "",
  resumeArguments: ["--continue"],
  contextOnly: true,
  variables: {},
  discoveryFiles: () => [],
  // Also where a variable names another folder for Claude Code.
  discoveryFolders: (host) => claude.discoveryFolders({ ...host, env: {} }),
  loadCli: async () => (await import("./claude-cli.ts")).opencodeCli,
};

/** Where the CLI reads: the folder that its variable names, and the one in the home folder as well. */
function configFolders({ env, home }: Host): readonly string[] {
  const own = path.join(home, ".claude");
  const named = env.CLAUDE_CONFIG_DIR;
  return named && path.resolve(named) !== own ? [own, path.resolve(named)] : [own];
}

/** @param folder a configuration folder, which may well be a symlink to somebody's dotfiles */
const lockFolder = (folder: string) => path.join(folder, "ide");

/**
 * Reads a lock file, whichever companion has written it. The port is in its name alone.
 * @throws Error whose message is the end of a sentence for people
 */
export function readLock(text: string, { port }: FileName): Announcement {
  const content = tryParseJson(text);
  if (!isObject(content)) throw new Error("it is not a JSON object");
  const { pid, workspaceFolders, ideName, transport, authToken, serverPid } = content;
  if (port === undefined) throw new Error("its name is not a port");
  if (transport !== "ws") throw new Error(`its transport is ${JSON.stringify(transport)}, and not "ws"`);
  const folders = Array.isArray(workspaceFolders) ? workspaceFolders : [];
  return {
    port,
    token: typeof authToken === "string" ? authToken : undefined,
    roots: folders.filter((folder) => typeof folder === "string" && path.isAbsolute(folder)),
    ide: typeof ideName === "string" ? { name: "editor", displayName: ideName } : undefined,
    pid: toPid(pid),
    serverPid: toPid(serverPid),
  };
}

const parseName = namesOf(/^(?<port>\d+)\.lock$/);
