import { randomUUID } from "node:crypto";
import path from "node:path";
import type { PathMap } from "../../files/path-map.ts";
import { isObject, type JsonObject, tryParseJson } from "../../system/json.ts";
import { listenOnLocalSocket } from "../../transport/local-socket.ts";
import { closeServer } from "../../transport/loopback.ts";
import type { FarMachine, SocketRelay, SocketRelayOptions } from "../agent.ts";
import { createHttpRelay, UnmappedPath } from "../http-relay.ts";
import { findLock, lockFolder, toContent } from "./lock-file.ts";

/** Of both sockets: the one here, and the one that leads to it. */
const file = "copilot.sock";

/** Lets Copilot CLI on another machine find the socket of a companion here, by a lock file there. */
export async function startSocketRelay(options: SocketRelayOptions): Promise<SocketRelay | undefined> {
  const { companion, host, folder, map, onTrouble } = options;
  const lock = findLock(host, companion);
  if (lock === undefined) return undefined;
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

const origin = { line: 0, character: 0 };
const nothing = { text: "", selection: { start: origin, end: origin, isEmpty: true } };

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
      Array.isArray(said)
        ? said.flatMap((one) => {
            const file = toFile(Object(one).filePath);
            return file ? [{ ...one, uri: file.fileUrl, filePath: file.filePath }] : [];
          })
        : said,
  };

  return {
    /** @throws UnmappedPath with a sentence for the CLI, or for its model */
    toHere(message: unknown): unknown {
      const call = toCall(message);
      if (!call) return message;
      const { name, given } = call;
      const pass = (change: JsonObject) => ({
        ...Object(message),
        params: { ...call.params, arguments: { ...given, ...change } },
      });
      const translate = (path: string) => {
        const here = map.toHere(path);
        if (here === undefined) throw UnmappedPath.of(path);
        return here;
      };
      if (name === "open_diff")
        return pass({ original_file_path: translate(String(given.original_file_path)) });
      if (name === "get_diagnostics" && typeof given.uri === "string") {
        // The companion takes a path as well.
        return pass({ uri: translate(toPath(given.uri)) });
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
      if (call && isObject(result) && Array.isArray(result.content)) {
        const translate = answerTexts[call.name];
        const content = result.content.map(
          (block) => translate && blockToThere(block, call.given, translate),
        );
        return translate ? { ...message, result: { ...result, content } } : message;
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

function toCall(message: unknown) {
  if (!isObject(message) || message.method !== "tools/call" || !isObject(message.params)) return undefined;
  const { params } = message;
  return { params, name: String(params.name), given: isObject(params.arguments) ? params.arguments : {} };
}

/** The text is JSON, unless it says why there is none. */
function blockToThere(
  block: unknown,
  given: JsonObject,
  translate: (said: unknown, given: JsonObject) => unknown,
): unknown {
  if (!isObject(block) || typeof block.text !== "string") return block;
  const said = tryParseJson(block.text);
  return said === undefined ? block : { ...block, text: JSON.stringify(translate(said, given)) };
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
