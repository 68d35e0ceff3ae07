import type { TextEdit } from "vscode-languageserver";
import { WrittenWatch } from "../../core/written/written-watch.ts";
import { createPathLabels } from "../../files/workspace-path.ts";
import { type Host, writtenFolder } from "../../system/host.ts";
import { toTextEdits } from "./buffer-edits.ts";
import { type HunkChoice, HunksFollower, type PlacedHunk } from "./written-hunks.ts";
import { findItem, idOf, toRecords, type WrittenRecord } from "./written-list.ts";

/** An agent has written an open file. */
export interface FileWrite {
  /** For people. */
  readonly agent: string;
  /** As the frontend names it. */
  readonly filePath: string;
  /** Its text before that; null where there was none, absent where that is not known. */
  readonly before?: string | null;
}

export interface WrittenFrontendOptions {
  readonly host: Host;
  /** Absolute paths of the open folders. */
  readonly roots: () => readonly string[];
  /** Whether no text of a file is to be kept. */
  readonly isSecret: (path: string) => Promise<boolean>;
  /** Called when the hunks of open files are others. */
  readonly onHunks: () => void;
  /** Called when an agent may have written an open file. */
  readonly onWritten: (file: FileWrite) => void;
  /** Called with a turn that has ended, if it has left something to look at. */
  readonly onTurn: (turn: string) => void;
}

/** What agents wrote without asking, for an editor in this process: from their record, which needs no companion. */
export function followWritten({ host, roots, onTurn, isSecret, ...handlers }: WrittenFrontendOptions) {
  const watch = new WrittenWatch({ folder: writtenFolder(host), onTurn: ({ id }) => onTurn(id), isSecret });
  const started = async () => ({ written: watch });
  const follower = new HunksFollower({ labels: createPathLabels(roots), started, ...handlers });
  watch.start();
  return {
    /** @param paths absolute, of all files that are open now */
    open: (paths: readonly string[]) => follower.open(paths),
    /** The user has saved a file. @param path absolute */
    noteSaved: (path: string) => watch.noteSaved(path),
    /** @param listener called whenever somebody has written in the record @returns stops that */
    onChange: (listener: () => void) => watch.onChange(listener),
    /** Newest first. */
    list: async (): Promise<readonly WrittenRecord[]> => toRecords(await watch.read()),
    /** The id of the record of a turn and a file. */
    idOf: (turn: string, filePath: string) => idOf(turn, filePath),
    /** The file of a record as it was before, with another name maybe; empty where there was none, or that is not kept. */
    async before(id: string): Promise<string> {
      const found = findItem(watch.latest ?? (await watch.read()), id);
      return Buffer.from((found?.source ?? found?.change)?.before ?? "", "latin1").toString("utf8");
    },
    /** The hunks of a file where its document has them now. */
    placedIn: (filePath: string, text: string): readonly PlacedHunk[] => follower.placedIn(filePath, text),
    /** @returns undefined where there is none of this file */
    choose(filePath: string, ids: readonly string[]): HunkChoice | undefined {
      const revision = follower.revisionOf(filePath);
      return revision !== undefined && ids.length > 0 ? { filePath, revision, ids } : undefined;
    },
    /**
     * Another file with something to look at, null where there is none, and its hunks. @param filePath where the user is
     * @param decided files that are decided in documents that are not saved
     */
    async next(filePath: string, by: 1 | -1, decided: readonly string[]) {
      const next = await follower.next(filePath, by, decided);
      return { filePath: next?.filePath ?? null, lines: (next?.hunks ?? []).map(({ line }) => line - 1) };
    },
    /** @param text of the document @returns what to change in it @throws Error with a sentence */
    async decide(action: "keep" | "revert", choice: HunkChoice, text: string): Promise<readonly TextEdit[]> {
      return toTextEdits(text, await follower.decide(choice, action, action === "revert" ? text : undefined));
    },
    /** Decides about all that a turn has written, or about one file, on disk. @throws Error with a sentence */
    decideTurn: (action: "keep" | "revert", turn: string, filePath?: string) =>
      follower.decideTurn(turn, action, filePath),
    close() {
      follower.close();
      watch.close();
    },
  };
}

export type WrittenFrontend = ReturnType<typeof followWritten>;
