import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "dotenv";
import type { Variables } from "../../editors/editor-record.ts";
import type { Host } from "../../system/host.ts";

/** The variables that a CLI has once it has read its files. */
export interface LoadedEnvironment {
  /** Those of the terminal included. */
  readonly env: Variables;
  /** The file that each of the others is from, absolute. */
  readonly sources: Readonly<Record<string, string>>;
}

/** The machine as it is to somebody with these variables. */
export function withEnvironment(host: Host, { env, sources }: LoadedEnvironment): Host {
  const moved = ["TMPDIR", "TMP", "TEMP"].some((name) => sources[name] !== undefined);
  // As Node finds it, which asks the variables again each time.
  const tmp = moved ? (env.TMPDIR || env.TMP || env.TEMP)?.replace(/(.)\/+$/, "$1") : undefined;
  return { ...host, env, ...(tmp && { tmp }) };
}

/** The one thing to do about a variable that must not be set. */
export function toUnset(name: string, sources: LoadedEnvironment["sources"] = {}): string {
  const file = sources[name];
  return file === undefined ? `Unset ${name}.` : `Take ${name} out of ${file}.`;
}

/** A file of variables that a CLI reads. */
export interface EnvFile {
  readonly path: string;
  /** Whether it takes this variable from this file. */
  takes(name: string): boolean;
}

/**
 * Adds what files hold, each variable from the first that has it. The terminal's own come before all.
 * @param isFree whether a variable of the terminal counts as none
 */
export function addEnvFiles(
  env: Variables,
  files: readonly EnvFile[],
  isFree: (value: string | undefined) => boolean,
): LoadedEnvironment {
  const all: Record<string, string | undefined> = { ...env };
  const sources: Record<string, string> = {};
  for (const file of files) {
    for (const [name, value] of Object.entries(readEnvFile(file.path))) {
      if (!isFree(all[name]) || !file.takes(name)) continue;
      all[name] = value;
      sources[name] = file.path;
    }
  }
  return { env: all, sources };
}

/** Nothing for a file that cannot be read, as both CLIs have it. */
export function readEnvFile(file: string): Readonly<Record<string, string>> {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

/** A folder and those above it, nearest first. */
export function foldersUpwards(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpwards(parent)];
}
