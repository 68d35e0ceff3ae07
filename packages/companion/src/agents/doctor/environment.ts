import { parse } from "dotenv";
import { readIfThere } from "../../system/disk.ts";
import type { Host } from "../../system/host.ts";
import type { LoadedEnvironment } from "./checked-cli.ts";

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

/**
 * Adds what files of variables hold, each variable from the first that has it. The terminal's own come before all.
 * @param files absolute paths; one that cannot be read holds nothing
 * @param isFree whether a file may set this variable, which now has this value
 */
export function addEnvFiles(
  env: Host["env"],
  files: readonly string[],
  isFree: (value: string | undefined, name: string) => boolean,
): LoadedEnvironment {
  const all: Record<string, string | undefined> = { ...env };
  const sources: Record<string, string> = {};
  for (const file of files) {
    for (const [name, value] of Object.entries(parse(readIfThere(file) ?? ""))) {
      if (!isFree(all[name], name)) continue;
      all[name] = value;
      sources[name] = file;
    }
  }
  return { env: all, sources };
}
