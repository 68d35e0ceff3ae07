import path from "node:path";
import { isObject, tryParseJson } from "../../system/json.ts";
import type { Announcement, FileName } from "../agent.ts";

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

const toPid = (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
