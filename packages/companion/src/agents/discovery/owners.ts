import { isObject, type JsonObject, tryParseJson } from "../../system/json.ts";
import type { SweptFolder } from "../agent.ts";

/** Which processes a discovery file says it lives by. */
export interface Owners {
  /** Serves the port; only our own files name it. */
  readonly server?: number;
  /** The editor, by the file's name or by its content. */
  readonly editors: readonly number[];
  readonly port?: number;
}

/**
 * Reads the owners from a file's text, however damaged.
 * By hand and not by the schema, which starting a companion has no need to load.
 * @param named what the file's name says
 */
export function parseOwners(
  text: string,
  named: { readonly pid?: number; readonly port?: number } = {},
  { endsWithPid }: Pick<SweptFolder, "endsWithPid"> = {},
): Owners {
  const content = parseObject(text);
  const server = toPid(endsWithPid ? content.pid : content.serverPid);
  const port = toPid(content.port) ?? named.port;
  const editors = [named.pid, toPid(content.ppid)].filter((pid) => pid !== undefined);
  return {
    editors,
    ...(server !== undefined && { server }),
    ...(port !== undefined && { port }),
  };
}

/** Whether nobody can be behind this file any more. A file that names no process is not judged. */
export function isAbandoned({ server, editors }: Owners, isAlive: (pid: number) => boolean): boolean {
  if (server !== undefined) return !isAlive(server);
  return editors.length > 0 && !editors.some(isAlive);
}

function parseObject(text: string): JsonObject {
  const value = tryParseJson(text);
  // Cut off by a crash: its name may still tell.
  return isObject(value) ? value : {};
}

const toPid = (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
