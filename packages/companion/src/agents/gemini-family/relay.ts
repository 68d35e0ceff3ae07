import type { PathMap } from "../../files/path-map.ts";
import { isObject, type JsonObject } from "../../system/json.ts";
import { closeServer, listenOnLoopback } from "../../transport/loopback.ts";
import type { Relay, RelayOptions } from "../agent.ts";
import { createHttpRelay } from "../http-relay.ts";
import { createPortRelay } from "../port-relay.ts";
import { listThere, toCall, toFileHere, UnmappedPath } from "../relayed-messages.ts";

/** @throws Error when no port can be opened */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { companion, map } = options;
  const server = createHttpRelay({
    served: ["/mcp", "/health"],
    toCompanion: (host) => ({
      host: "127.0.0.1",
      port: companion.port,
      hostHeader: host === undefined ? undefined : relay.toHost(host),
    }),
    toHere: (message) => toHere(message, map),
    toThere: (message) => toThere(message, map),
  });
  // A connection that cannot be taken the CLI tries again.
  const port = await listenOnLoopback(server, { onTrouble: () => {} });
  const relay = createPortRelay(options, port, () => closeServer(server));
  return relay;
}

/**
 * What an agent says, with the names that its files have on this machine. Texts are never touched.
 * @throws UnmappedPath with a sentence for the agent
 */
export function toHere(message: unknown, map: PathMap): unknown {
  if (Array.isArray(message)) return message.map((one) => toHere(one, map));
  const call = toCall(message);
  if (call?.name === "acceptDiff") {
    throw new UnmappedPath("acceptDiff would write on the editor's machine: write the file yourself");
  }
  if (typeof call?.given.filePath !== "string") return message;
  return call.with({ filePath: toFileHere(call.given.filePath, map) });
}

/** What a companion says, with the names that the agent knows. Files that are not there are left out. */
export function toThere(message: unknown, map: PathMap): unknown {
  if (Array.isArray(message)) return message.map((one) => toThere(one, map));
  if (!isObject(message)) return message;
  if (isObject(message.params)) return { ...message, params: paramsToThere(message.params, map) };
  return isObject(message.result) ? { ...message, result: resultToThere(message.result, map) } : message;
}

/** Of a notification: an outcome, or a context. */
function paramsToThere(params: JsonObject, map: PathMap): JsonObject {
  if (typeof params.filePath === "string") {
    return { ...params, filePath: map.toThere(params.filePath) ?? params.filePath };
  }
  const { workspaceState } = params;
  if (!isObject(workspaceState)) return params;
  const openFiles = filesToThere(workspaceState.openFiles, "path", map);
  return { ...params, workspaceState: { ...workspaceState, openFiles } };
}

/** Only structured content is known to hold names; a bare text may be a file's. */
function resultToThere(result: JsonObject, map: PathMap): JsonObject {
  const { structuredContent } = result;
  if (!isObject(structuredContent) || !Array.isArray(structuredContent.diagnostics)) return result;
  const diagnostics = filesToThere(structuredContent.diagnostics, "filePath", map);
  const sent = { ...structuredContent, diagnostics };
  return { ...result, content: [{ type: "text", text: JSON.stringify(sent) }], structuredContent: sent };
}

/** @param key that holds the file's path */
const filesToThere = (files: unknown, key: string, map: PathMap): unknown =>
  listThere(files, ({ [key]: path }) => {
    const there = typeof path === "string" ? map.toThere(path) : undefined;
    return there === undefined ? undefined : { [key]: there };
  });
