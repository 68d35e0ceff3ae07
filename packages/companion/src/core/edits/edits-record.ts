import type { Owner } from "./owner.ts";
import type { RecoveredEdits } from "./recovered-edits.ts";

/** What is in the file of a text. */
export interface EditsRecord extends RecoveredEdits {
  /** The process that still takes care of it; absent once the text waits for its user. */
  readonly owner?: Owner;
}

/** @throws Error that says what is wrong */
export function parseRecord(text: string): EditsRecord {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error("it is no object");
  const { owner } = value;
  const string = (name: string) => {
    const found = value[name];
    if (typeof found !== "string") throw new Error(`${name} is missing`);
    return found;
  };
  if (typeof value.at !== "number") throw new Error("at is missing");
  return {
    id: string("id"),
    filePath: string("filePath"),
    agent: string("agent"),
    at: value.at,
    reason: string("reason"),
    proposed: string("proposed"),
    text: string("text"),
    ...(owner === undefined ? {} : { owner: parseOwner(owner) }),
  };
}

function parseOwner(value: unknown): Owner {
  if (!isObject(value)) throw new Error("owner is no object");
  const { pid, host, start } = value;
  if (typeof pid !== "number" || typeof host !== "string" || typeof start !== "string") {
    throw new Error("owner is incomplete");
  }
  return { pid, host, start };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
