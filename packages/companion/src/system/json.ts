/** A JSON object; nothing is known of its fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @returns undefined for what is no JSON: cut off by a crash, or somebody else's */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller says what that means
  }
}

/** @throws Error when there is no string of this name */
export function stringIn(fields: JsonObject, name: string): string {
  const found = fields[name];
  if (typeof found !== "string") throw new Error(`${name} is missing`);
  return found;
}
