import { rm } from "node:fs/promises";
import { join } from "node:path";
import { lookInto } from "../../companion/src/core/written/look-into.ts";
import type { WrittenLog } from "../../companion/src/core/written/written-log.ts";

/** What an agent writes in a turn. */
export interface TurnOptions {
  readonly title: string;
  readonly files: Readonly<Record<string, string | Buffer | null>>;
  readonly session?: string;
  /** It has not ended. */
  readonly isOpen?: boolean;
  readonly folder: string;
  readonly write: (name: string, content: string | Buffer) => Promise<string>;
}

/** No two entries have the same time. */
let time = Date.now();

/** What an agent's hooks record of a turn. */
export async function recordTurn(
  log: WrittenLog,
  { title, files, session = "s", isOpen, folder, write }: TurnOptions,
) {
  const append = (entry: object) =>
    log.append({ at: ++time, agent: "gemini", session, ...entry } as Parameters<WrittenLog["append"]>[0]);
  append({ kind: "turn-start", title, folder });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    const look = async () => ({ [path]: await lookInto(path, log, async () => false) });
    append({ kind: "before", files: await look() });
    if (text === null) await rm(path);
    else await write(name, text);
    append({ kind: "after", files: await look() });
  }
  if (!isOpen) append({ kind: "turn-end" });
}
