import { randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { diffLines, type LineChange, linesOf } from "../../files/line-diff.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import type { RevertTrouble } from "../sentences.ts";
import type { Content, Layer, Settled, Withheld } from "./entries.ts";
import { keepPart, type Layers, takeOut } from "./layers.ts";
import { lookNow, type Read, readWritten } from "./read-written.ts";
import { isSame, Texts } from "./texts.ts";
import type { Turn } from "./turns.ts";
import type { WrittenLog } from "./written-log.ts";

/** What one turn has made of one file. */
export interface WrittenChange {
  readonly turn: string;
  /** Absolute path. */
  readonly path: string;
  readonly kind: "added" | "modified" | "deleted";
  readonly added: number;
  readonly removed: number;
  /** In the order of lines. */
  readonly hunks: readonly LineChange[];
  /** The bytes, one character each; null where there is no file, undefined where they are not kept. */
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
  /** Why there is nothing but the fact. */
  readonly withheld?: Withheld;
}

export interface WrittenTurn extends Turn {
  readonly changes: readonly WrittenChange[];
}

/** What is to be kept or reverted; all of it where nothing is said. */
export interface Selection {
  readonly turn?: string;
  readonly paths?: readonly string[];
  /** Of the only change that the rest selects: the index of a hunk. */
  readonly hunk?: number;
}

/** What a decision would make of a file. */
interface Plan {
  readonly path: string;
  readonly former: Layers;
  readonly layers: Layers;
  /** What the file holds, and would hold. */
  readonly now: Content;
  readonly after: Content;
}

export type Reverting =
  | { readonly kind: "possible"; readonly plans: readonly Plan[] }
  | { readonly kind: "impossible"; readonly path: string; readonly reason: RevertTrouble };

/** What agents have written by themselves and nobody has looked at, as it is at one moment. */
export class Written {
  readonly #log: WrittenLog;
  readonly #texts: Texts;
  readonly #read: Read;

  constructor(log: WrittenLog) {
    this.#log = log;
    this.#texts = new Texts(log);
    this.#read = readWritten(log, this.#texts);
  }

  /** Newest first; only those with something to look at. */
  list(): readonly WrittenTurn[] {
    const changes = [...this.#read.files].flatMap(([path, layers]) =>
      layers.map((layer) => this.#toChange(path, layer)),
    );
    return [...this.#read.turns.values()]
      .map((turn) => ({ ...turn, changes: changes.filter((change) => change.turn === turn.id) }))
      .filter((turn) => turn.changes.length > 0)
      .sort((one, other) => other.startedAt - one.startedAt);
  }

  /** Nobody has to look at it any more. @returns the paths */
  keep(selection: Selection): readonly string[] {
    const decision = newDecision();
    const plans = this.#select(selection).map(({ path, layers: former, chosen }) => {
      let layers = former;
      for (const layer of chosen) {
        const index = layers.indexOf(layer);
        if (index >= 0) layers = keepPart(layers, index, this.#keptOf(layer, selection.hunk), this.#texts);
      }
      const now = former.at(-1)?.after ?? { text: null };
      return { path, former, layers, now, after: now };
    });
    for (const plan of plans) this.#settle(plan, { decision });
    return plans.map(({ path }) => path);
  }

  /** What a revert would do. Changes nothing. */
  planRevert(selection: Selection): Reverting {
    const plans: Plan[] = [];
    for (const { path, layers: former, chosen } of this.#select(selection)) {
      let layers = former;
      for (const layer of chosen.toReversed()) {
        const to = this.#revertedOf(layer, selection.hunk);
        if (this.#texts.read(layer.before) === undefined) return impossible(path, "not-kept");
        if (layer.isTouched) return impossible(path, "written-since");
        const next = takeOut(layers, former.indexOf(layer), to, this.#texts);
        if (next === undefined) return impossible(path, "changed-since");
        layers = next;
      }
      const [now, after] = [former, layers].map((each) => each.at(-1)?.after ?? { text: null });
      if (now && after) plans.push({ path, former, layers: layers.filter(isChange), now, after });
    }
    return { kind: "possible", plans };
  }

  /**
   * Writes what was planned, file by file.
   * @throws Error with the reason, a sentence about the file; what was written before it is written
   */
  async revert(plans: readonly Plan[]): Promise<void> {
    const decision = newDecision();
    for (const plan of plans) {
      await this.#write(plan);
      this.#settle(plan, { decision });
    }
  }

  /** What the last decision that was not undone has changed; undefined where there is none. */
  lastDecision(): { readonly id: string; readonly paths: readonly string[] } | undefined {
    const undone = this.#read.settled.map(({ undoes }) => undoes);
    const last = this.#read.settled.findLast(({ former, decision }) => former && !undone.includes(decision));
    if (last === undefined) return undefined;
    return { id: last.decision, paths: this.#filesOf(last.decision).map(({ path }) => path) };
  }

  /**
   * Undoes a decision: the files are as they were before it, and so is what there is to look at.
   * @returns the path of a file that has changed since, where nothing was done
   * @throws Error as `revert`
   */
  async undo(id: string): Promise<string | undefined> {
    const plans = this.#filesOf(id).flatMap(({ path, former }): readonly Plan[] =>
      former ? [{ path, former: [], layers: former.layers, now: former.after, after: former.now }] : [],
    );
    const changed = plans.find(({ path, now }) => !isSame(now, lookNow(path, now, this.#texts)));
    if (changed) return changed.path;
    for (const plan of plans) {
      await this.#write(plan);
      this.#settle(plan, { decision: newDecision(), undoes: id });
    }
    return undefined;
  }

  /** The files that a plan would change, as they are and as they would be; bytes, one character each. */
  textsOf(plans: readonly Plan[]) {
    return plans.map(({ path, now, after }) => ({
      path,
      before: this.#texts.read(now),
      after: this.#texts.read(after),
    }));
  }

  #filesOf(decision: string): readonly Settled[] {
    return this.#read.settled.filter((each) => each.decision === decision);
  }

  #select({ turn, paths }: Selection) {
    return [...this.#read.files].flatMap(([path, layers]) => {
      if (paths && !paths.includes(path)) return [];
      const chosen = layers.filter((layer) => turn === undefined || layer.turn === turn);
      return chosen.length > 0 ? [{ path, layers, chosen }] : [];
    });
  }

  #toChange(path: string, { turn, before, after }: Layer): WrittenChange {
    const [from, to] = [this.#texts.read(before), this.#texts.read(after)];
    const kind = from === null ? "added" : to === null ? "deleted" : "modified";
    const isKept = from !== undefined && to !== undefined;
    const hunks = isKept ? diffLines(linesOf(from ?? ""), linesOf(to ?? "")) : [];
    const withheld = [before, after].flatMap((each) => ("withheld" in each ? [each.withheld] : []))[0];
    return {
      ...{ turn, path, kind, hunks, before: from, after: to },
      added: hunks.reduce((sum, { added }) => sum + added, 0),
      removed: hunks.reduce((sum, { removed }) => sum + removed, 0),
      ...(!isKept && { withheld: withheld ?? "unknown" }),
    };
  }

  /** What a layer begins with once its hunk is kept. */
  #keptOf(layer: Layer, hunk: number | undefined): Content {
    return hunk === undefined ? layer.after : this.#replaceHunk(layer.before, layer.after, layer, hunk);
  }

  /** What a layer ends with once its hunk is reverted. */
  #revertedOf(layer: Layer, hunk: number | undefined): Content {
    return hunk === undefined ? layer.before : this.#replaceHunk(layer.after, layer.before, layer, hunk);
  }

  /** One side of a layer with the lines that the other side has in a hunk. */
  #replaceHunk(side: Content, other: Content, { before, after }: Layer, index: number): Content {
    const [lines, others] = [side, other].map((each) => linesOf(this.#texts.read(each) ?? ""));
    const hunk = diffLines(linesOf(this.#texts.read(before) ?? ""), linesOf(this.#texts.read(after) ?? ""))[
      index
    ];
    if (hunk === undefined || lines === undefined || others === undefined) return side;
    const [here, there] = [
      { start: hunk.at, count: hunk.removed },
      { start: hunk.line, count: hunk.added },
    ];
    const [own, theirs] = side === before ? [here, there] : [there, here];
    const fresh = others.slice(theirs.start, theirs.start + theirs.count);
    const replaced = [...lines.slice(0, own.start), ...fresh, ...lines.slice(own.start + own.count)].join("");
    // A file of one hunk is there or not as a whole.
    return replaced === (this.#texts.read(other) ?? "") ? other : this.#texts.add(replaced, side);
  }

  async #write({ path, now, after }: Plan): Promise<void> {
    const [present, wanted] = [this.#texts.read(now), this.#texts.read(after)];
    if (isSame(now, after) || present === undefined || wanted === undefined) return;
    const toBytes = (text: string | null) => (text === null ? undefined : Buffer.from(text, "latin1"));
    await writeReviewedFile(path, toBytes(wanted) ?? null, { before: { bytes: toBytes(present) } });
    // Otherwise its own mode stays.
    if (present === null && "mode" in after && after.mode !== undefined) await chmod(path, after.mode);
  }

  #settle(
    { path, layers, former, now, after }: Plan,
    of: { readonly decision: string; readonly undoes?: string },
  ): void {
    for (const layer of [...layers, ...former])
      for (const each of [layer.before, layer.after]) this.#texts.save(each);
    for (const each of [now, after]) this.#texts.save(each);
    this.#log.append({
      ...{ kind: "settled", at: Date.now(), path, layers: [...layers], ...of },
      ...(of.undoes === undefined && { former: { layers: [...former], now, after } }),
    });
  }
}

const isChange = ({ before, after }: Layer): boolean => !isSame(before, after);

const newDecision = (): string => randomBytes(4).toString("hex");

const impossible = (path: string, reason: RevertTrouble): Reverting => ({ kind: "impossible", path, reason });
