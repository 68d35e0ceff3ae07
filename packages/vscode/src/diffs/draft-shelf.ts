import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The user's edits of a proposal, as they lie on disk while it is open. */
export interface Draft {
  readonly filePath: string;
  readonly agent: string;
  readonly content: string;
}

/** Drafts of this window, and those that a window before it has left. */
export interface DraftShelf {
  write(id: string, draft: Draft): void;
  remove(id: string): void;
  /** Takes what was left by windows that are no more. @returns their drafts */
  takeLeft(): readonly Draft[];
}

export interface DraftShelfOptions {
  /** Absolute path of a folder of our own. */
  readonly folder: string;
  readonly isAlive: (pid: number) => boolean;
}

/** The files are named after the process that has written them: another window of the folder has drafts too. */
export function createDraftShelf({ folder, isAlive }: DraftShelfOptions): DraftShelf {
  const pathOf = (id: string) => join(folder, `${process.pid}-${id}.json`);
  return {
    write(id, draft) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(pathOf(id), JSON.stringify(draft), { mode: 0o600 });
    },
    remove: (id) => rmSync(pathOf(id), { force: true }),
    takeLeft() {
      return namesIn(folder).flatMap((name) => {
        const pid = Number(/^(\d+)-/.exec(name)?.[1]);
        if (pid === process.pid || (pid > 0 && isAlive(pid))) return [];
        const path = join(folder, name);
        const draft = readDraft(path);
        rmSync(path, { force: true });
        return draft ? [draft] : [];
      });
    },
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nobody has ever edited a proposal here
  }
}

function readDraft(path: string): Draft | undefined {
  try {
    const { filePath, agent, content } = JSON.parse(readFileSync(path, "utf8"));
    return [filePath, agent, content].every((part) => typeof part === "string")
      ? { filePath, agent, content }
      : undefined;
  } catch {
    return undefined; // its window died while it wrote
  }
}
