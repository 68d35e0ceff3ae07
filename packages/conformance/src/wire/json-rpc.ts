/** A JSON object; its fields have not been checked. */
export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A message that has no id: something that happened. */
export interface Notification {
  readonly method: string;
  readonly params: Json;
}

/** @returns undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports it
  }
}

export function toNotification(value: unknown): Notification | undefined {
  if (!isJson(value) || typeof value.method !== "string" || "id" in value) return undefined;
  return { method: value.method, params: isJson(value.params) ? value.params : {} };
}
