import type { PathMap } from "../../files/path-map.ts";
import { isObject } from "../../system/json.ts";

type Json = Readonly<Record<string, unknown>>;

const scheme = "file://";

/** What becomes of a message of the CLI. */
export interface Passed {
  /** For the companion; undefined when it is not to hear of it. */
  readonly passed?: unknown;
  /** For the CLI, at once. */
  readonly answer?: unknown;
}

/**
 * Gives files in messages the names that they have at the other end. Texts are never touched.
 * @returns the translation of one connection
 */
export function createTranslation(map: PathMap) {
  /** The calls of `getDiagnostics` that wait for an answer, which names files. */
  const asked = new Set<unknown>();

  return {
    toHere(message: unknown): Passed {
      if (!isObject(message) || message.method !== "tools/call" || !isObject(message.params)) {
        return { passed: message };
      }
      const { params } = message;
      const { name } = params;
      const given = isObject(params.arguments) ? params.arguments : {};
      const pass = (change: Json) => ({
        passed: { ...message, params: { ...params, arguments: { ...given, ...change } } },
      });
      if (name === "getDiagnostics") {
        const { uri } = given;
        if (typeof uri !== "string") {
          asked.add(message.id);
          return { passed: message };
        }
        const path = uri.startsWith(scheme) ? map.toHere(uri.slice(scheme.length)) : undefined;
        if (path === undefined) return { answer: answer(message.id, "[]") };
        asked.add(message.id);
        return pass({ uri: scheme + path });
      }
      if (name !== "openDiff") return { passed: message };
      const path = map.toHere(String(given.new_file_path));
      if (path !== undefined) return pass({ old_file_path: path, new_file_path: path });
      const reason = `${given.new_file_path} lies outside of the folders that the editor shares with this machine`;
      return { answer: answer(message.id, reason, true) };
    },

    /** @returns undefined for what concerns no file of the other machine */
    toThere(message: unknown): unknown {
      if (!isObject(message)) return message;
      if (asked.delete(message.id) && isObject(message.result)) {
        return { ...message, result: resultToThere(message.result, map) };
      }
      const { method, params } = message;
      if (!isObject(params) || typeof params.filePath !== "string") return message;
      const filePath = map.toThere(params.filePath);
      if (method === "at_mentioned") {
        return filePath === undefined ? undefined : { ...message, params: { ...params, filePath } };
      }
      if (method !== "selection_changed") return message;
      if (filePath !== undefined) {
        return { ...message, params: { ...params, filePath, fileUrl: scheme + filePath } };
      }
      // As where no file is open: what was sent before does not count any more.
      const { filePath: _, fileUrl: __, ...rest } = params;
      return { ...message, params: { ...rest, text: "" } };
    },
  };
}

const answer = (id: unknown, text: string, isError = false) => ({
  jsonrpc: "2.0",
  id,
  result: { content: [{ type: "text", text }], ...(isError && { isError }) },
});

function resultToThere(result: Json, map: PathMap): Json {
  if (!Array.isArray(result.content)) return result;
  return { ...result, content: result.content.map((block) => blockToThere(block, map)) };
}

/** The text is the JSON of a list of files, each with its diagnostics. */
function blockToThere(block: unknown, map: PathMap): unknown {
  if (!isObject(block) || typeof block.text !== "string") return block;
  const files = parseList(block.text);
  if (files === undefined) return block;
  const translated = files.flatMap((file) => {
    if (!isObject(file)) return [];
    const path = map.toThere(String(file.uri).slice(scheme.length));
    return path === undefined ? [] : [{ ...file, uri: scheme + path }];
  });
  return { ...block, text: JSON.stringify(translated) };
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined; // why there are none, in words
  }
}
