import { toWorkspacePath } from "../../files/workspace-path.ts";
import type { Host } from "../../system/host.ts";
import type { Address, Agent, SweptFolder } from "../agent.ts";

/** Variables for the editor's terminals and for `run`. They hold a token. */
export function toTerminalEnv(
  { variables }: Pick<Agent, "variables">,
  { port, roots, token, pid }: Address,
  host: Host,
): Readonly<Record<string, string>> {
  const values = { port: String(port), workspace: toWorkspacePath(roots, host), token, pid: String(pid) };
  const names = Object.entries(variables) as [keyof typeof values, string][]; // an interface's own keys
  return Object.fromEntries(names.map(([what, name]) => [name, values[what]]));
}

/** Reads the names of files by the groups `pid` and `port` of a pattern. */
export const namesOf =
  (pattern: RegExp): SweptFolder["parseName"] =>
  (name) => {
    const found = pattern.exec(name);
    if (found === null) return undefined;
    const { pid, port } = found.groups ?? {};
    return { ...(pid && { pid: Number(pid) }), ...(port && { port: Number(port) }) };
  };

/** A process or a port, as far as a file says it. */
export const toPid = (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
