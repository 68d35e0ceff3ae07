import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "ide-companion/editor-kit";

export interface WaitingRecordOptions {
  /** Absolute path of a folder that only records use. */
  readonly folder: string;
  readonly isAlive: (pid: number) => boolean;
}

/** Records on disk what waits in this window. When the window ends, the next one can name what was lost. */
export interface WaitingRecord {
  /** @param names for people; empty when nothing waits */
  write(names: readonly string[]): void;
  /** Reads and removes the records of windows that have ended. @returns the names in them */
  takeLeft(): readonly string[];
}

export function createWaitingRecord({ folder, isAlive }: WaitingRecordOptions): WaitingRecord {
  // The system reuses process ids, in a container soon.
  const own = `${process.pid}-${randomBytes(4).toString("hex")}.json`;
  const hasEnded = (name: string) => {
    const pid = Number(/^(\d+)-[^.]+\.json$/.exec(name)?.[1]);
    return pid > 0 && name !== own && (pid === process.pid || !isAlive(pid));
  };
  return {
    write(names) {
      if (names.length === 0) {
        rmSync(join(folder, own), { force: true });
        return;
      }
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writePrivateFile(join(folder, own), JSON.stringify(names));
    },
    takeLeft: () =>
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

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing has ever waited here
  }
}
