import { rmSync, writeFileSync } from "node:fs";
import { type LogEntry, readDay } from "../../../core/written/entries.ts";
import { lookInto } from "../../../core/written/look-into.ts";
import { WrittenLog } from "../../../core/written/written-log.ts";
import { type Host, writtenFolder } from "../../../system/host.ts";

/** An agent that writes without asking, as its hooks record it. */
export function createWritingAgent(host: Host, agent = "gemini") {
  const log = new WrittenLog(writtenFolder(host));
  const append = (entry: object) => log.append({ agent, session: "1", at: Date.now(), ...entry } as LogEntry);
  const look = async (file: string) => ({ [file]: await lookInto(file, log, async () => false) });
  return {
    begin: (title: string) => append({ kind: "turn-start", title, folder: "" }),
    /** @param text null to delete the file */
    async write(file: string, text: string | null) {
      append({ kind: "before", files: await look(file) });
      if (text === null) rmSync(file);
      else writeFileSync(file, text);
      append({ kind: "after", files: await look(file) });
    },
    /** Paths of files that their user has saved, as the record has them. */
    saved: () => log.days.flatMap(readDay).flatMap((entry) => (entry.kind === "saved" ? [entry.path] : [])),
    end: () => append({ kind: "turn-end" }),
  };
}
