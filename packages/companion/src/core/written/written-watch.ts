import { realPathOf } from "../../files/workspace-path.ts";
import { watchOwnFolder } from "../../system/disk.ts";
import { loadPart } from "../../system/later-part.ts";
import { Listeners } from "../../system/listeners.ts";
import { FileCheck } from "../edits/file-check.ts";
import type { CompanionEvent, FileResult } from "../events.ts";
import { toAcceptedHash } from "./accepted.ts";
import type { Plan } from "./layers.ts";
import { lookInto } from "./look-into.ts";
import type { Written, WrittenTurn } from "./written.ts";
import { WrittenLog } from "./written-log.ts";

/** Milliseconds for which the calls of hooks are collected before the record is read. */
const pause = 300;

export interface WrittenWatchOptions {
  /** Absolute path of the record. */
  readonly folder: string;
  /** Called once for each turn that ends from the start on, if it has left something to look at. */
  readonly onTurn: (turn: WrittenTurn) => void;
  /** Whether no text of a file is to be kept. */
  readonly isSecret: (path: string) => Promise<boolean>;
}

/** What agents write without asking, as their hooks record it, and each turn in which one did. */
export class WrittenWatch {
  readonly #log: WrittenLog;
  readonly #reported = new Set<string>();
  /** Reverts in editors' buffers, by the path of the file. */
  readonly #unsaved = new Map<string, { readonly check: FileCheck; readonly plans: readonly Plan[] }>();
  readonly #onTurn: WrittenWatchOptions["onTurn"];
  readonly #isSecret: WrittenWatchOptions["isSecret"];
  readonly #changed = new Listeners();
  /** Calls back whenever somebody has written in the record, and `latest` is new. @returns stops that */
  readonly onChange = this.#changed.add;
  /** The newest state that has been read. */
  latest: Written | undefined;
  #begun = 0;
  #newest = 0;
  #stop = () => {};

  constructor({ folder, onTurn, isSecret }: WrittenWatchOptions) {
    this.#log = new WrittenLog(folder);
    this.#onTurn = onTurn;
    this.#isSecret = isSecret;
  }

  /** What nobody has looked at, as it is now. */
  async read(): Promise<Written> {
    this.#begun += 1;
    const mine = this.#begun;
    // A companion starts without it: the schemas take longer to load than most of the rest.
    const { readUncommitted } = await loadPart(() => import("./committed.ts"));
    const read = await readUncommitted(this.#log);
    if (mine > this.#newest) [this.#newest, this.latest] = [mine, read];
    return read;
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
    const watcher = watchOwnFolder(this.#log.folder, () => {
      isNews = true;
      timer ??= setTimeout(look, pause).unref();
    });
    this.#stop = () => {
      clearTimeout(timer);
      watcher?.close();
    };
  }

  /** What an agent asks about, and its user accepts, nobody has to look at once it is written. */
  async take(event: CompanionEvent): Promise<void> {
    if (event.kind !== "diff-settled" || event.settlement.kind !== "accepted") return;
    const { by, content } = event.settlement;
    // Where no hook has ever recorded anything, nobody asks.
    if (by === "agent" || this.#log.days.length === 0) return;
    const path = await realPathOf(event.proposal.filePath);
    try {
      this.#log.append({ kind: "accepted", at: Date.now(), path, hash: toAcceptedHash(content) });
    } catch {
      // The disk is full: the user sees the change once more.
    }
  }

  /**
   * The user has saved a file in an editor: while an agent's command runs, nobody else can tell whose change that is.
   * Never rejects.
   * @param path absolute
   */
  async noteSaved(path: string): Promise<void> {
    try {
      const { isTurnRunning } = this.latest ?? (await this.read());
      if (!isTurnRunning) return;
      const file = await realPathOf(path);
      const content = await lookInto(file, this.#log, () => this.#isSecret(file));
      this.#log.append({ kind: "saved", at: Date.now(), path: file, content });
    } catch {
      // The disk is full, say: the user sees the own change as an agent's.
    }
  }

  /**
   * An editor shows a file without what is reverted, unsaved: its agents hear of that once the file holds this text, and
   * of what was reverted in it before and not saved.
   */
  tellOnceSaved(
    written: Written,
    plans: readonly Plan[],
    { filePath, text }: { filePath: string; text: string },
  ): void {
    const former = this.#unsaved.get(filePath);
    former?.check.stop();
    const all = [...(former?.plans ?? []), ...plans];
    const onResult = (result: FileResult) => {
      if (result === "written") written.tellReverted(all);
    };
    const onEnd = () => this.#unsaved.delete(filePath);
    const check = new FileCheck({ filePath, text, stamp: "", onResult, onEnd });
    this.#unsaved.set(filePath, { check, plans: all });
  }

  close(): void {
    for (const { check } of this.#unsaved.values()) check.stop();
    this.#stop();
  }

  async #look(since: number): Promise<void> {
    const written = await this.read();
    this.#changed.tell();
    for (const turn of written.list()) {
      if (turn.endedAt === undefined || turn.endedAt < since || this.#reported.has(turn.id)) continue;
      if (turn.isIncomplete) continue; // the next entry has the rest
      this.#reported.add(turn.id);
      this.#onTurn(turn);
    }
  }
}
