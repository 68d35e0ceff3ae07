import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { namesIn, pidIsAlive, writePrivateFile } from "ide-companion/editor-kit";
import type * as vscode from "vscode";
import { nameOf } from "../workspace.ts";
import type { Proposals } from "./proposals.ts";

/** Records on disk what waits in this window. When the window ends, the next one can name what was lost. */
export type WaitingRecord = ReturnType<typeof createWaitingRecord>;

/** @param folder absolute path of a folder that only records use */
export function createWaitingRecord(folder: string, isAlive = pidIsAlive) {
  // The system reuses process ids, in a container soon.
  const own = `${process.pid}-${randomBytes(4).toString("hex")}.json`;
  const hasEnded = (name: string) => {
    const pid = Number(/^(\d+)-[^.]+\.json$/.exec(name)?.[1]);
    return pid > 0 && name !== own && (pid === process.pid || !isAlive(pid));
  };
  return {
    /** @param names for people; empty when nothing waits */
    write(names: readonly string[]) {
      if (names.length === 0) {
        rmSync(join(folder, own), { force: true });
        return;
      }
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writePrivateFile(join(folder, own), JSON.stringify(names));
    },
    /** Reads and removes the records of windows that have ended. @returns the names in them */
    takeLeft: (): readonly string[] =>
      namesIn(folder)
        .filter(hasEnded)
        .flatMap((name) => claim(folder, name)),
  };
}

function claim(folder: string, name: string): readonly string[] {
  const claimed = join(folder, `${name}.claimed`);
  try {
    // Only one of several windows succeeds in renaming the file.
    renameSync(join(folder, name), claimed);
    const names: unknown = JSON.parse(readFileSync(claimed, "utf8"));
    rmSync(claimed);
    return Array.isArray(names) ? names.filter((each) => typeof each === "string") : [];
  } catch {
    return []; // another window reports it
  }
}

/** Disposing stops recording. The next window reads the last record. */
export function recordWaiting(proposals: Proposals, record: WaitingRecord): vscode.Disposable {
  return proposals.onChange(() =>
    record.write(proposals.all.map(({ proposal }) => `${nameOf(proposal.filePath)} (${proposal.agent})`)),
  );
}
