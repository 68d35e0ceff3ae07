import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "ide-companion/editor-kit";

/** The user's edits of a proposal, as they lie on disk until the user has said what becomes of them. */
export interface Draft {
  readonly filePath: string;
  readonly agent: string;
  readonly content: string;
}

/** Drafts of this window, and those that a window before it has left. */
export interface DraftShelf {
  /** Replaces the draft of this id, whole or not at all. */
  write(id: string, draft: Draft): void;
  remove(id: string): void;
  /** Makes drafts of windows that are no more this window's own. @returns them, by their new ids */
  takeLeft(): ReadonlyMap<string, Draft>;
}

export interface DraftShelfOptions {
  /** Absolute path of a folder of our own. */
  readonly folder: string;
  readonly isAlive: (pid: number) => boolean;
  /** Hears of a draft that could not be written or removed; no other one suffers from it. */
  readonly onFault: (message: string) => void;
}

/** The files are named after the process that has written them: another window of the folder has drafts too. */
export function createDraftShelf({ folder, isAlive, onFault }: DraftShelfOptions): DraftShelf {
  // A process id comes back, in a container soon.
  const own = `${process.pid}-${randomBytes(4).toString("hex")}-`;
  const pathOf = (id: string) => join(folder, `${own}${id}.json`);
  const isLeft = (name: string) => {
    const pid = Number(/^\.?(\d+)-/.exec(name)?.[1]);
    return pid > 0 && !name.startsWith(own) && (pid === process.pid || !isAlive(pid));
  };
  const attempt = (fault: string, act: () => void) => {
    try {
      act();
    } catch (error) {
      onFault(`${fault}: ${error instanceof Error ? error.message : error}`);
    }
  };
  const remove = (id: string) =>
    attempt("edits that are settled cannot be removed", () => rmSync(pathOf(id), { force: true }));
  return {
    write(id, draft) {
      attempt(`edits of ${draft.filePath} cannot be kept on disk`, () => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writePrivateFile(pathOf(id), JSON.stringify(draft));
      });
    },
    remove,
    takeLeft() {
      const left = new Map<string, Draft>();
      for (const name of namesIn(folder).filter(isLeft)) {
        const id = randomUUID();
        if (!isMoved(join(folder, name), pathOf(id))) continue;
        // What its window has not written to its end is no draft, and goes.
        const draft = name.endsWith(".json") ? readDraft(pathOf(id)) : undefined;
        if (draft) left.set(id, draft);
        else remove(id);
      }
      return left;
    },
  };
}

function isMoved(path: string, to: string): boolean {
  try {
    renameSync(path, to);
    return true;
  } catch {
    return false; // another window of the folder was faster
  }
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
    return undefined; // somebody else has put it there
  }
}
