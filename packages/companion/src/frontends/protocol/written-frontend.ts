import type { TextEdit } from "vscode-languageserver";
import { WrittenWatch } from "../../core/written/written-watch.ts";
import { createPathLabels } from "../../files/workspace-path.ts";
import { type Host, writtenFolder } from "../../system/host.ts";
import { toTextEdits } from "./buffer-edits.ts";
import { HunksFollower, type PlacedHunk } from "./written-hunks.ts";
import { findItem, idOf, toRecords, type WrittenRecord } from "./written-list.ts";

/** Hunks of one file, as the user has seen them. */
export interface HunkChoice {
  readonly filePath: string;
  readonly revision: string;
  readonly ids: readonly string[];
}

/** An agent has written an open file. */
export interface FileWrite {
  /** For people. */
  readonly agent: string;
  /** As the frontend names it. */
  readonly filePath: string;
  /** Its text before that; null where there was none, absent where that is not known. */
  readonly before?: string | null;
}

/** Another file with something to look at. */
export interface NextFile {
  /** Null where there is none. */
  readonly filePath: string | null;
  readonly hunks: readonly PlacedHunk["written"][];
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
export class WrittenFrontend {
  readonly #watch: WrittenWatch;
  readonly #follower: HunksFollower;

  constructor({ host, roots, isSecret, onHunks, onWritten, onTurn }: WrittenFrontendOptions) {
    const folder = writtenFolder(host);
    this.#watch = new WrittenWatch({ folder, onTurn: ({ id }) => onTurn(id), isSecret });
    this.#follower = new HunksFollower({
      labels: createPathLabels(roots),
      started: async () => ({ written: this.#watch }),
      onWritten,
      onHunks: () => onHunks(),
    });
    this.#watch.start();
  }

  /** @param paths absolute, of all files that are open now */
  open(paths: readonly string[]): void {
    this.#follower.open(paths);
  }

  /** The user has saved a file. @param path absolute */
  noteSaved(path: string): Promise<void> {
    return this.#watch.noteSaved(path);
  }

  /** @param listener called whenever somebody has written in the record @returns stops that */
  onChange(listener: () => void): () => void {
    return this.#watch.onChange(listener);
  }

  /** Newest first. */
  async list(): Promise<readonly WrittenRecord[]> {
    return toRecords(await this.#watch.read());
  }

  /** The id of the record of a turn and a file. */
  idOf(turn: string, filePath: string): string {
    return idOf(turn, filePath);
  }

  /** The file of a record as it was before, with another name maybe; empty where there was none, or that is not kept. */
  async before(id: string): Promise<string> {
    const found = findItem(this.#watch.latest ?? (await this.#watch.read()), id);
    return Buffer.from((found?.source ?? found?.change)?.before ?? "", "latin1").toString("utf8");
  }

  /** The hunks of a file where its document has them now. */
  placedIn(filePath: string, text: string): readonly PlacedHunk[] {
    return this.#follower.placedIn(filePath, text);
  }

  /** @returns undefined where there is none of this file */
  choose(filePath: string, ids: readonly string[]): HunkChoice | undefined {
    const revision = this.#follower.revisionOf(filePath);
    return revision !== undefined && ids.length > 0 ? { filePath, revision, ids } : undefined;
  }

  /**
   * Another file with something to look at, and its hunks. @param filePath where the user is
   * @param decided files that are decided in documents that are not saved
   */
  next(filePath: string, by: 1 | -1, decided: readonly string[]): Promise<NextFile> {
    return this.#follower.next({ filePath, by, decided: [...decided] });
  }

  /** @param text of the document @returns what to change in it @throws Error with a sentence */
  async decide(action: "keep" | "revert", choice: HunkChoice, text: string): Promise<readonly TextEdit[]> {
    const content = action === "revert" ? { content: text } : {};
    const decided = await this.#follower.decide({ ...choice, ids: [...choice.ids], action, ...content });
    return toTextEdits(text, decided);
  }

  /** Decides about all that a turn has written, or about one file, on disk. @throws Error with a sentence */
  async decideTurn(action: "keep" | "revert", turn: string, filePath?: string): Promise<void> {
    await this.#follower.decideTurn(turn, action, filePath);
  }

  close(): void {
    this.#follower.close();
    this.#watch.close();
  }
}
