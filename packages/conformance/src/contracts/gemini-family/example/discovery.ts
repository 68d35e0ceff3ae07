import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { agentNames, agents, type FileKind } from "../../../agents.ts";
import type { SystemFolders } from "../../../target/folders.ts";
import { isAlive } from "../../../target/process.ts";
import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";
import { currentKinds, fileOf, folderOf, nameOf, recognise } from "../target/discovery-file.ts";
import type { Tokens } from "./guard.ts";

/** What the files announce. */
export interface Announcement {
  readonly port: number;
  readonly pid: number;
  readonly tokens: Tokens;
  readonly folders: readonly string[];
}

/** How the example announces itself. */
export const discoveryRules = {
  files,
  content,
  write,
  /** Creates a folder for files, or corrects its mode. */
  prepareFolder,
  sweep,
  /** Before the server listens. */
  filesFirst: false,
  rewrites: true,
  removes: true,
  /** Whether it ends at all. */
  ends: true,
  /** The signals that end it cleanly. */
  endsBy: ["SIGTERM", "SIGINT", "SIGHUP"] as readonly NodeJS.Signals[],
  /** The variables of a terminal in the editor. */
  environment: ({ port, pid, tokens, folders }: Announcement): Record<string, string> =>
    Object.fromEntries(
      agentNames.flatMap((agent) => {
        const { variablePrefix, hasTerminalSecrets } = agents[agent];
        const values = { SERVER_PORT: String(port), WORKSPACE_PATH: folders.join(path.delimiter) };
        const secrets = { AUTH_TOKEN: tokens.get(agent) ?? "", PID: String(pid) };
        return Object.entries({ ...values, ...(hasTerminalSecrets && secrets) }).map(([name, value]) => [
          `${variablePrefix}${name}`,
          value,
        ]);
      }),
    ),
};

export type DiscoveryRules = typeof discoveryRules;

/** Which files there are, by kind. */
function files(announcement: Announcement): Partial<Record<FileKind, string>> {
  return Object.fromEntries(currentKinds.map((kind) => [kind, nameOf(kind, announcement)]));
}

function content(kind: FileKind, { port, pid, tokens, folders }: Announcement): Json {
  const { agent, fields = [] } = fileOf(kind);
  const authToken = tokens.get(agent);
  const ideInfo = { name: "example", displayName: "Example" };
  const common = { port, workspacePath: folders.join(path.delimiter), authToken, ideInfo };
  return {
    ...common,
    ...(fields.includes("ppid") && { ppid: pid }),
    ...(fields.includes("ideName") && { ideName: ideInfo.displayName }),
  };
}

/** Writes all files. @returns their paths */
export function announce(
  systemFolders: SystemFolders,
  announcement: Announcement,
  rules: DiscoveryRules,
): string[] {
  return Object.entries(rules.files(announcement)).flatMap(([name, file]) => {
    const kind = name as FileKind; // Object.entries forgets the type of the keys
    const folder = folderOf(kind, systemFolders);
    if (!rules.prepareFolder(folder)) return [];
    const target = path.join(folder, file);
    rules.write(target, `${JSON.stringify(rules.content(kind, announcement))}\n`);
    return [target];
  });
}

/** @returns false when we must not write to it */
function prepareFolder(folder: string): boolean {
  for (const step of [path.dirname(folder), folder]) {
    mkdirSync(step, { recursive: true, mode: 0o700 });
    if (!lstatSync(step).isDirectory()) return false;
    if (path.basename(step) === "ide" && (statSync(step).mode & 0o077) !== 0) chmodSync(step, 0o700);
  }
  return true;
}

/** Complete and private from the first byte: written under another name, then renamed. */
function write(file: string, text: string): void {
  const fresh = `${file}.${process.pid}.tmp`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, text, { flag: "wx", mode: 0o600 });
  renameSync(fresh, file);
}

/** Removes the files of dead companions. */
function sweep(systemFolders: SystemFolders): void {
  for (const kind of currentKinds) {
    const folder = folderOf(kind, systemFolders);
    for (const name of namesIn(folder)) {
      const file = recognise(folder, name, systemFolders);
      const pid = file?.pid ?? (file ? pidIn(file.path) : undefined);
      if (file && pid !== undefined && !isAlive(pid)) rmSync(file.path, { force: true });
    }
  }
}

function pidIn(file: string): number | undefined {
  const content = parseJson(readFileSync(file, "utf8"));
  return isJson(content) && typeof content.ppid === "number" ? content.ppid : undefined;
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not made yet
  }
}
