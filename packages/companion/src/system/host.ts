import { existsSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** Where a machine keeps what agents read; an argument, so that tests have a private one. */
export interface Host {
  /** `os.tmpdir()` */
  readonly tmp: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `path.delimiter` of the system. */
  readonly delimiter: string;
}

/** This machine as it is now. */
export function systemHost(): Host {
  return { tmp: os.tmpdir(), home: os.homedir(), env: process.env, delimiter: path.delimiter };
}

/** Where we keep what has to outlast this process, the machine's restart included. */
export function stateFolder({ env, home }: Host, platform: NodeJS.Platform = process.platform): string {
  return path.join(baseFolder(env, home, platform), "ide-companion");
}

/** Where the files lie by which our own commands find companions. */
export const companionsFolder = (host: Host) => path.join(stateFolder(host), "companions");

/** Where recovered edits lie, those of every companion of this user. */
export const editsFolder = (host: Host) => path.join(stateFolder(host), "edits");

/** Where comments lie that no agent has received, those of every companion of this user. */
export const commentsFolder = (host: Host) => path.join(stateFolder(host), "comments");

/** Where past decisions lie, those of every companion of this user. */
export const historyFolder = (host: Host) => path.join(stateFolder(host), "history");

/** Where lies what agents have written by themselves, as their hooks record it. */
export const writtenFolder = (host: Host) => path.join(stateFolder(host), "written");

function baseFolder(env: Host["env"], home: string, platform: NodeJS.Platform): string {
  if (platform === "win32") return env.LOCALAPPDATA || path.join(home, "AppData", "Local");
  // Not Caches, which the system may empty.
  if (platform === "darwin") return path.join(home, "Library", "Application Support");
  const given = env.XDG_STATE_HOME;
  return given && path.isAbsolute(given) ? given : path.join(home, ".local", "state");
}

/** Whether this process runs in a container, by the signs that the agent CLIs go by. */
export const isInContainer = (): boolean => existsSync("/.dockerenv") || existsSync("/run/.containerenv");

const loopback = ["127.0.0.1", "localhost"];

/** What keeps a CLI's requests to this machine away from the proxies that the environment names. */
export function toLoopbackEnv(env: Host["env"]): Readonly<Record<string, string>> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
  if (!names.some((name) => env[name])) return {};
  // Programs differ in which of the two they read: both get everything.
  const known = [env.NO_PROXY, env.no_proxy].flatMap((list) => list?.split(/[\s,]+/) ?? []);
  const exceptions = [...new Set([...known, ...loopback])].filter((host) => host !== "").join(",");
  return { NO_PROXY: exceptions, no_proxy: exceptions };
}

/** The program of a command in the PATH of this terminal. @returns its absolute path */
export function findExecutable(command: string, { env, delimiter }: Host): string | undefined {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const endings = process.platform === "win32" ? (env.PATHEXT ?? ".CMD").split(";") : [""];
  return folders
    .flatMap((folder) => endings.map((ending) => path.join(folder, `${command}${ending}`)))
    .find(isProgram);
}

/** A shell passes by a folder of that name. */
const isProgram = (file: string): boolean =>
  // What Windows runs has an ending, and some of it cannot be looked at.
  process.platform === "win32" ? existsSync(file) : isFile(file);

function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false; // there is none, or it is out of reach
  }
}
