import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "ide-companion/editor-kit";

export interface WaitingRecordOptions {
  /** Absolute path of a folder of our own. */
  readonly folder: string;
  readonly isAlive: (pid: number) => boolean;
}

/** What waits in this window, on disk: it may end without a word, and the next one says over what. */
export interface WaitingRecord {
  /** @param names for people; none when nothing waits */
  write(names: readonly string[]): void;
  /** What waited in windows that are no more. @returns their names, once */
  takeLeft(): readonly string[];
}

export function createWaitingRecord({ folder, isAlive }: WaitingRecordOptions): WaitingRecord {
  // A process id comes back, in a container soon.
  const own = `${process.pid}-${randomBytes(4).toString("hex")}.json`;
  const isLeft = (name: string) => {
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
        .filter(isLeft)
        .flatMap((name) => take(folder, name)),
  };
}

function take(folder: string, name: string): readonly string[] {
  const taken = join(folder, `${name}.taken`);
  try {
    // Another window of the folder may be as fast.
    renameSync(join(folder, name), taken);
    const names: unknown = JSON.parse(readFileSync(taken, "utf8"));
    rmSync(taken);
    return Array.isArray(names) ? names.filter((each) => typeof each === "string") : [];
  } catch {
    return []; // that one says it
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing has ever waited here
  }
}
