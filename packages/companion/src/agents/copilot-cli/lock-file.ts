import path from "node:path";
import { toRealPath } from "../../files/workspace-path.ts";
import { namesIn } from "../../system/disk.ts";
import type { Host } from "../../system/host.ts";
import { isObject, tryParseJson } from "../../system/json.ts";
import { readPrivateFile } from "../../system/private-file.ts";
import type { DiscoveryEntry, LiveFinding, SweptFolder } from "../agent.ts";
import { namesOf } from "../discovery/announced.ts";
import { copilotHome } from "../homes.ts";

/** What the CLI reads of a companion. */
export interface Lock {
  /** Absolute path of the socket, or the name of the pipe. */
  readonly socketPath: string;
  /** The CLI sends them with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The process by whose end the lock is void. */
  readonly pid: number;
  /** For people. */
  readonly ideName: string;
  /** When the companion was started, in milliseconds since 1970. */
  readonly timestamp: number;
  /** Absolute paths. */
  readonly workspaceFolders: readonly string[];
  /** True spares the CLI's user the question; absent where the editor has no notion of trust. */
  readonly isTrusted?: boolean | undefined;
}

export const copilotSettingsPath = (host: Host): string => path.join(copilotHome(host), "settings.json");

export const lockFolder = (host: Host): string => path.join(copilotHome(host), "ide");

export const lockFolders = (host: Host): readonly SweptFolder[] => [
  { path: lockFolder(host), parseName, endsWithPid: true },
];

/** @param name of the file, without its ending */
export function toLockEntry(name: string, lock: Lock, host: Host): DiscoveryEntry {
  const folder = lockFolder(host);
  // The CLI compares with its working directory, which has no symlinks in it.
  const content = toContent({ ...lock, workspaceFolders: lock.workspaceFolders.map(toRealPath) });
  return { path: path.join(folder, `${name}.lock`), folders: [folder], content, keepsFile: true };
}

/** As a file holds it. */
export const toContent = (lock: Lock) => ({
  ...lock,
  scheme: lock.socketPath.startsWith("\\\\.\\pipe\\") ? "pipe" : "unix",
});

/** The lock of a companion, by its process. @returns undefined where it does not serve the CLI */
export function findLock(host: Host, { serverPid, pid }: LiveFinding): Lock | undefined {
  const folder = lockFolder(host);
  const locks = namesIn(folder).flatMap((name) => {
    const text = parseName(name) && readPrivateFile(path.join(folder, name));
    if (text === undefined) return [];
    try {
      return [readLock(text)];
    } catch {
      return []; // the CLI skips it as well
    }
  });
  return locks.find((lock) => lock.pid === (serverPid ?? pid));
}

/**
 * Reads a lock file, whichever companion has written it. The CLI skips, without a word, what this refuses.
 * @throws Error whose message is the end of a sentence for people
 */
export function readLock(text: string): Lock {
  const content = tryParseJson(text);
  if (!isObject(content)) throw new Error("it is not a JSON object");
  const { socketPath, scheme, headers, pid, ideName, timestamp, workspaceFolders, isTrusted } = content;
  if (typeof socketPath !== "string") throw new Error("it has no socketPath");
  if (typeof scheme !== "string") throw new Error("it has no scheme");
  if (typeof ideName !== "string") throw new Error("it has no ideName");
  if (typeof pid !== "number") throw new Error("it has no pid");
  if (typeof timestamp !== "number") throw new Error("it has no timestamp");
  if (!isTexts(headers)) throw new Error("its headers are not an object of texts");
  if (!Array.isArray(workspaceFolders)) throw new Error("it has no workspaceFolders");
  return {
    socketPath,
    headers,
    pid,
    ideName,
    timestamp,
    workspaceFolders: workspaceFolders.filter((folder) => typeof folder === "string"),
    ...(typeof isTrusted === "boolean" && { isTrusted }),
  };
}

const parseName = namesOf(/\.lock$/);

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "string");
