import type { PathMap } from "../files/path-map.ts";
import { isObject, type JsonObject, tryParseJson } from "../system/json.ts";

/** A message whose file lies in no folder that both machines have. */
export class UnmappedPath extends Error {
  override readonly name = "UnmappedPath";
}

/**
 * The name that a file of the other machine has on this one.
 * @param file as the agent has named it
 * @throws UnmappedPath with a sentence for the agent
 */
export function toFileHere(file: unknown, map: PathMap): string {
  const here = map.toHere(String(file));
  if (here !== undefined) return here;
  throw new UnmappedPath(`${file} lies outside of the folders that the editor shares with this machine`);
}

/** A call of a tool, and the same with other arguments. @returns undefined for any other message */
export function toCall(message: unknown) {
  if (!isObject(message) || message.method !== "tools/call" || !isObject(message.params)) return undefined;
  const { params } = message;
  const given = isObject(params.arguments) ? params.arguments : {};
  return {
    id: message.id,
    name: String(params.name),
    given,
    with: (change: JsonObject): unknown => ({
      ...message,
      params: { ...params, arguments: { ...given, ...change } },
    }),
  };
}

/** The answer to a call that the companion is not to receive. */
export const toAnswer = (id: unknown, text: string, isError = false) => ({
  jsonrpc: "2.0",
  id,
  result: { content: [{ type: "text", text }], ...(isError && { isError }) },
});

/** A result whose texts are JSON, unless they say why there is none. @param translate one such text's value */
export function translateTexts(result: JsonObject, translate: (said: unknown) => unknown): JsonObject {
  if (!Array.isArray(result.content)) return result;
  const content = result.content.map((block) => {
    if (!isObject(block) || typeof block.text !== "string") return block;
    const said = tryParseJson(block.text);
    return said === undefined ? block : { ...block, text: JSON.stringify(translate(said)) };
  });
  return { ...result, content };
}

/**
 * Files with the names that they have on the other machine, without those that are not there.
 * @param toThere the fields of one file that change; undefined where the other machine does not have the file
 */
export const listThere = (files: unknown, toThere: (file: JsonObject) => JsonObject | undefined): unknown =>
  Array.isArray(files)
    ? files.flatMap((file) => {
        const change = isObject(file) ? toThere(file) : undefined;
        return change === undefined ? [] : [{ ...file, ...change }];
      })
    : files;
