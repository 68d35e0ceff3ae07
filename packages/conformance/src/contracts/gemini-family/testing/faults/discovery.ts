import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Fault } from "../../../../testing/contract-tests.ts";
import type { Json } from "../../../../wire/json-rpc.ts";
import { type Announcement, namesIn } from "../../example/discovery.ts";
import { goodRules, type Rules } from "../../example/rules.ts";
import { currentKinds, folderOf } from "../../target/discovery-file.ts";

/** A process id that no process has: above every system's limit. */
const deadPid = 2_000_000_000;

/** Changes some fields of every file. */
const fields = (changed: Json): Partial<Rules> => ({
  content: (kind, announcement) => ({ ...goodRules.content(kind, announcement), ...changed }),
});

/** By the check that catches it. */
export const discoveryFaults: Readonly<Record<string, Fault<Rules>>> = {
  "gemini-file": {
    rules: {
      files: (announcement) => ({
        ...goodRules.files(announcement),
        "gemini-file": `gemini-ide-server-${announcement.pid}.json`,
      }),
    },
    says: /there is no <tmp>\/gemini\/ide\/gemini-ide-server-<pid>-<port>\.json/,
  },
  "qwen-file": {
    rules: { files: ({ port }) => ({ "qwen-lock": `${port}.lock` }) },
    says: /there is no <tmp>\/qwen\/ide\/qwen-code-ide-server/,
  },
  "qwen-lock": {
    // As the specification alone asks for.
    rules: { files: ({ port, pid }) => ({ "qwen-file": `qwen-code-ide-server-${pid}-${port}.json` }) },
    says: /there is no <QWEN_HOME or ~\/\.qwen>\/ide\/<port>\.lock/,
  },
  "file-content": { rules: fields({ ideInfo: undefined }), says: /ideInfo is undefined/ },
  "ide-info": {
    rules: fields({ ideInfo: { name: "My Editor", displayName: "My Editor" } }),
    says: /ideInfo.name is "My Editor"/,
  },
  "leads-here": {
    // A file of an earlier start is left unchanged.
    rules: {
      content: (kind, announcement) => ({
        ...goodRules.content(kind, announcement),
        ...(kind === "qwen-file" ? { authToken: "the-token-of-yesterday" } : {}),
      }),
    },
    says: /with the token of .*qwen-code-ide-server.*, initialize was answered 401/,
  },
  "workspace-path": {
    rules: fields({ workspacePath: "src" }),
    says: /"src" is not the absolute path of a folder/,
  },
  "own-workspace": {
    rules: fields({ workspacePath: path.parse(process.cwd()).root }),
    says: /workspacePath has \//,
  },
  "editor-pid": {
    rules: {
      files: (announcement) => ({
        ...goodRules.files(announcement),
        "gemini-file": `gemini-ide-server-${deadPid}-${announcement.port}.json`,
      }),
    },
    says: /names the process 2000000000, which is dead/,
  },
  "lock-pid": { rules: fields({ ppid: deadPid }), says: /ppid is 2000000000, which is dead/ },
  "lock-name": { rules: fields({ ideName: undefined }), says: /ideName is undefined/ },
  "terminal-variables": { rules: { environment: () => ({}) }, says: /GEMINI_CLI_IDE_SERVER_PORT is not set/ },
  "terminal-secrets": {
    // A terminal that was opened before the companion was restarted.
    rules: {
      environment: (announcement) => ({
        ...goodRules.environment(announcement),
        GEMINI_CLI_IDE_AUTH_TOKEN: "the-token-of-yesterday",
      }),
    },
    says: /GEMINI_CLI_IDE_AUTH_TOKEN is not the token of the file/,
  },
  "folders-change": { rules: { rewrites: false }, says: /of 3 files do not have/ },
  "rewritten-whole": {
    rules: {
      write: (file, text) => (existsSync(file) ? writeFileSync(file, text) : goodRules.write(file, text)),
    },
    says: /was written in place/,
  },
  "older-files": {
    good: { files: withOlder },
    rules: {
      files: withOlder,
      content: (kind, announcement) => ({
        ...goodRules.content(kind, announcement),
        ...(kind === "gemini-older-file" ? { authToken: "another-token" } : {}),
      }),
    },
    says: /gemini-ide-server-\d+\.json has another port or token/,
  },
  "stdio-offer": {
    good: fields({ stdio: { command: "companion", args: [] } }),
    rules: fields({ stdio: { command: "companion" } }),
    says: /without a command and an array of args/,
  },
  "two-companions": {
    // The last one to start assumes that it is the only one.
    rules: {
      sweep: (systemFolders) => {
        for (const kind of currentKinds) {
          const folder = folderOf(kind, systemFolders);
          for (const name of namesIn(folder)) rmSync(path.join(folder, name));
        }
      },
    },
    says: /when the second one started, .* of the first one went away/,
  },
};

function withOlder(announcement: Announcement): ReturnType<Rules["files"]> {
  return {
    ...goodRules.files(announcement),
    "gemini-older-file": `gemini-ide-server-${announcement.pid}.json`,
  };
}

/** By the check that catches it. */
export const lifecycleFaults: Readonly<Record<string, Fault<Rules>>> = {
  "server-first": {
    rules: { filesFirst: true },
    says: /when gemini-ide-server-\d+-0\.json appeared, its port was not open yet/,
  },
  "files-removed": { rules: { removes: false }, says: /after SIGTERM .* is still there/ },
  "server-stops": { rules: { ends: false }, says: /it did not end within/ },
  "hang-up": { rules: { endsBy: ["SIGTERM"] }, says: /after SIGHUP .* is still there/ },
  sweep: { rules: { sweep: () => {} }, says: /of a dead process is still there/ },
  "living-files": {
    // Takes every file that is older than a day for stale.
    rules: {
      sweep: (systemFolders) => {
        const folder = folderOf("gemini-file", systemFolders);
        for (const name of namesIn(folder)) {
          const file = path.join(folder, name);
          if (Date.now() - statSync(file).mtimeMs > 86_400_000) rmSync(file);
        }
      },
    },
    says: /it has removed .*, of a running process/,
  },
};
