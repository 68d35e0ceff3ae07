import { watchOwnFolder } from "../../system/own-folder-watch.ts";
import { readUncommitted } from "./committed.ts";
import type { Written, WrittenTurn } from "./written.ts";
import { WrittenLog } from "./written-log.ts";

/** Milliseconds for which the calls of hooks are collected before the record is read. */
const pause = 300;

/** What agents write without asking, as their hooks record it, and each turn in which one did. */
export class WrittenWatch {
  readonly #folder: string;
  readonly #reported = new Set<string>();
  readonly #onTurn: (turn: WrittenTurn) => void;
  readonly #listeners = new Set<(written: Written) => void>();
  #stop = () => {};

  /**
   * @param folder absolute path of the record
   * @param onTurn called once for each turn that ends from the start on, if it has left something to look at
   */
  constructor(folder: string, onTurn: (turn: WrittenTurn) => void) {
    this.#folder = folder;
    this.#onTurn = onTurn;
  }

  /** What nobody has looked at, as it is now. */
  read(): Promise<Written> {
    return readUncommitted(new WrittenLog(this.#folder));
  }

  /** @param listener gets the record whenever somebody has written in it @returns stops that */
  onChange(listener: (written: Written) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(): void {
    const since = Date.now();
    let timer: NodeJS.Timeout | undefined;
    let isNews = false;
    // One at a time, however long it takes.
    const look = async () => {
      isNews = false;
      await this.#look(since).catch(() => {}); // a record that cannot be read is read again with its next change
      timer = isNews ? setTimeout(look, pause).unref() : undefined;
    };
    const watcher = watchOwnFolder(this.#folder, () => {
      isNews = true;
      timer ??= setTimeout(look, pause).unref();
    });
    this.#stop = () => {
      clearTimeout(timer);
      watcher?.close();
    };
  }

  close(): void {
    this.#stop();
  }

  async #look(since: number): Promise<void> {
    const written = await this.read();
    for (const listener of this.#listeners) listener(written);
    for (const turn of written.list()) {
      if (turn.endedAt === undefined || turn.endedAt < since || this.#reported.has(turn.id)) continue;
      if (turn.isIncomplete) continue; // the next entry has the rest
      this.#reported.add(turn.id);
      this.#onTurn(turn);
    }
  }
}
