import type { Host } from "../../system/host.ts";
import type { Variables } from "./ides.ts";

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
