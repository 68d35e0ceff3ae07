import { randomUUID } from "node:crypto";
import path from "node:path";
import type { PathMap } from "../../files/path-map.ts";
import { isObject, type JsonObject } from "../../system/json.ts";
import { listenOnLocalSocket } from "../../transport/local-socket.ts";
import { closeServer } from "../../transport/loopback.ts";
import type { FarMachine, Relay, RelayOptions } from "../agent.ts";
import { createHttpRelay } from "../http-relay.ts";
import { listThere, toCall, toFileHere, translateTexts } from "../relayed-messages.ts";
import { toSelection } from "../selection.ts";
import { findLock, lockFolder, toContent } from "./lock-file.ts";

/** Of both sockets: the one here, and the one that leads to it. */
const file = "copilot.sock";

/** Lets Copilot CLI on another machine find the socket of a companion here, by a lock file there. */
export async function startRelay(options: RelayOptions): Promise<Relay | undefined> {
  const { companion, host, folder, map, onTrouble } = options;
  const lock = findLock(host, companion);
  if (folder === undefined || lock === undefined) return undefined;
  const { socketPath } = lock;
  const server = createHttpRelay({
    served: ["/mcp"],
    toCompanion: (hostHeader) => ({ socketPath, hostHeader }),
    ...createTranslation(map),
  });
  const here = path.join(folder, file);
  await listenOnLocalSocket(server, { path: here, onTrouble: ({ message }) => onTrouble(message) });
  const name = `${randomUUID()}.lock`;
  const timestamp = Date.now();
  let shared: FarMachine | undefined;

  return {
    async announce(far, workspaceFolders) {
      // Its name is the one by which companions there know what they may remove once the process has ended.
      const folderThere = path.posix.join(far.host.tmp, `ide-companion-${far.pid}-forward`);
      const there = path.posix.join(folderThere, file);
      if (shared !== far) {
        await far.makeFolder(folderThere);
        await far.listen(there, here);
        shared = far;
      }
      const locks = lockFolder(far.host).replaceAll(path.sep, "/");
      await far.makeFolder(locks);
      // Whether the user trusts the folder there is not known.
      const { headers, ideName } = lock;
      const content = toContent({
        socketPath: there,
        headers,
        pid: far.pid,
        ideName,
        timestamp,
        workspaceFolders,
      });
      await far.writeFile(path.posix.join(locks, name), JSON.stringify(content));
    },
    close: () => closeServer(server),
  };
}

const nothing = toSelection({ files: [] });

/**
 * Gives files in messages the names that they have at the other end. Texts are never touched, and of a file that the
 * other machine does not have nothing is sent.
 */
function createTranslation(map: PathMap) {
  /** The file of the last selection, which the CLI keeps until it is sent another. */
  let last: JsonObject | undefined;

  const toFile = (path: unknown): JsonObject | undefined => {
    const filePath = typeof path === "string" ? map.toThere(path) : undefined;
    return filePath === undefined ? undefined : { filePath, fileUrl: toUrl(filePath) };
  };

  const answerTexts: Readonly<Record<string, (said: unknown, given: JsonObject) => unknown>> = {
    open_diff(said, { original_file_path: there }) {
      const here = typeof there === "string" ? map.toHere(there) : undefined;
      if (!isObject(said) || typeof said.message !== "string" || here === undefined) return said;
      return { ...said, message: said.message.replace(here, () => String(there)) };
    },
    get_selection(said) {
      const file = isObject(said) && toFile(said.filePath);
      return file ? { ...Object(said), ...file } : null;
    },
    get_diagnostics: (said) =>
      listThere(said, ({ filePath }) => {
        const file = toFile(filePath);
        return file && { uri: file.fileUrl, filePath: file.filePath };
      }),
  };

  return {
    /** @throws UnmappedPath with a sentence for the CLI, or for its model */
    toHere(message: unknown): unknown {
      const call = toCall(message);
      if (call?.name === "open_diff")
        return call.with({ original_file_path: toFileHere(call.given.original_file_path, map) });
      if (call?.name === "get_diagnostics" && typeof call.given.uri === "string") {
        // The companion takes a path as well.
        return call.with({ uri: toFileHere(toPath(call.given.uri), map) });
      }
      return message;
    },

    /**
     * @param asked the call that it answers
     * @returns undefined for what concerns no file of the other machine
     */
    toThere(message: unknown, asked?: unknown): unknown {
      if (!isObject(message)) return message;
      const { method, params, result } = message;
      const call = toCall(asked);
      if (call && isObject(result)) {
        const translate = answerTexts[call.name];
        if (translate === undefined) return message;
        return { ...message, result: translateTexts(result, (said) => translate(said, call.given)) };
      }
      if (!isObject(params) || typeof params.filePath !== "string") return message;
      const file = toFile(params.filePath);
      if (method !== "selection_changed") return file && { ...message, params: { ...params, ...file } };
      if (file) {
        last = file;
        return { ...message, params: { ...params, ...file } };
      }
      return last && { ...message, params: { ...nothing, ...last } };
    },
  };
}

/** @param path absolute, with slashes: the other machine's */
const toUrl = (path: string) =>
  `file://${path
    .split("/")
    .map((part) => encodeURIComponent(part))
    .join("/")}`;

/** A model may write a path as well. */
function toPath(uri: string): string {
  if (!uri.startsWith("file:")) return uri;
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return uri;
  }
}
