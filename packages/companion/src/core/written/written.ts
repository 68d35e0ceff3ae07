import { randomBytes } from "node:crypto";
import { type LineChange, linesOf, sizeOf } from "../../files/line-diff.ts";
import { hashOf } from "../../files/text-hash.ts";
import { changesOf } from "../hunks.ts";
import type { RevertTrouble } from "../sentences.ts";
import type { Content, Layer, Settled, Withheld } from "./entries.ts";
import { hunksIn, type Lines, replaceHunks } from "./hunks-in.ts";
import { keepPart, type Plan, type RevertedTexts, takeOut } from "./layers.ts";
import { lookNow, openSince, type Read, readWritten } from "./read-written.ts";
import { type Reverted, RevertedNews } from "./reverted-news.ts";
import { type Bytes, isSame, Texts } from "./texts.ts";
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
  readonly before: Bytes | undefined;
  readonly after: Bytes | undefined;
  /** Why there is nothing but the fact. */
  readonly withheld?: Withheld;
  /** Another one whenever the file was or is another one. */
  readonly revision: string;
}

export interface WrittenTurn extends Turn {
  readonly changes: readonly WrittenChange[];
}

/** What all turns together have made of a file that is there. */
export interface WrittenFile {
  /** Another one whenever the file, or what there is to look at in it, is. */
  readonly revision: string;
  /** The last one. */
  readonly turn: Turn;
  /** In the lines of the file as it is, each with the turn that has written there last. */
  readonly hunks: readonly (LineChange & { readonly turn: Turn })[];
  readonly before: Bytes;
  /** Before the last turn. */
  readonly last: Bytes | undefined;
  readonly after: string;
}

/** What is to be kept or reverted; all of it where nothing is said. */
export interface Selection {
  readonly turn?: string;
  readonly paths?: readonly string[];
  /** Of the only change that the rest selects: the indexes of hunks. */
  readonly hunks?: readonly number[];
  /** Only the hunks in these lines of the files as they are. */
  readonly lines?: readonly Lines[];
}

export type Reverting =
  | { readonly kind: "possible"; readonly plans: readonly Plan[] }
  | { readonly kind: "impossible"; readonly path: string; readonly reason: RevertTrouble };

/** What agents have written by themselves and nobody has looked at, as it is at one moment. */
export class Written {
  readonly #log: WrittenLog;
  readonly #texts: Texts;
  readonly #news: RevertedNews;
  readonly #read: Read;
  readonly #hunks = new WeakMap<Layer, readonly LineChange[]>();

  constructor(log: WrittenLog) {
    this.#log = log;
    this.#texts = new Texts(log);
    this.#read = readWritten(log, this.#texts);
    this.#news = new RevertedNews(log.folder, this.#read.turns);
  }

  /**
   * Newest first; only those with something to look at.
   * @param isWanted of a turn and a file; the texts of others are not read
   */
  list(isWanted = (_turn: string, _path: string) => true): readonly WrittenTurn[] {
    const changes = [...this.#read.files].flatMap(([path, layers]) =>
      layers.filter(({ turn }) => isWanted(turn, path)).map((layer) => this.#toChange(path, layer)),
    );
    return [...this.#read.turns.values()]
      .map((turn) => ({ ...turn, changes: changes.filter((change) => change.turn === turn.id) }))
      .filter((turn) => turn.changes.length > 0)
      .sort((one, other) => other.startedAt - one.startedAt);
  }

  /** As far as is known: some CLIs say nothing of an end. */
  get isTurnRunning(): boolean {
    return [...this.#read.turns.values()].some(({ endedAt }) => endedAt === undefined);
  }

  /** The files with something to look at, and when the first of their turns began. */
  readonly openSince = (): ReadonlyMap<string, number> => openSince(this.#read);

  /** @returns undefined where nothing of the file, or nothing but the fact, is to be seen */
  fileAt(path: string): WrittenFile | undefined {
    const layers = this.#read.files.get(path) ?? [];
    const [first, top] = [layers[0], layers.at(-1)];
    const [before, last, after] = [first?.before, top?.before, top?.after].map((each) =>
      each ? this.#texts.read(each) : undefined,
    );
    const turn = this.#read.turns.get(top?.turn ?? "");
    if (turn === undefined || before === undefined || typeof after !== "string") return undefined;
    const hunks = changesOf(linesOf(before ?? ""), linesOf(after)).map((hunk) => {
      const [selected] = this.#select({ paths: [path], lines: [hunk] });
      const upper = selected?.chosen.at(-1)?.layer.turn;
      return { ...hunk, turn: this.#read.turns.get(upper ?? "") ?? turn };
    });
    const states = layers.map((layer) => [layer.turn, ...[layer.before, layer.after].map(toStamp)]);
    return { revision: hashOf(JSON.stringify(states)).slice(0, 16), turn, hunks, before, last, after };
  }

  /** Whether an agent's command ran at a time: what happened then was not its user's doing. In seconds, as git counts. */
  ranAt(second: number): boolean {
    return this.#read.commands.some(({ start, endedAt, lostAt }) => {
      const end = endedAt ?? lostAt ?? Number.POSITIVE_INFINITY;
      return second >= Math.floor(start.at / 1000) && second * 1000 <= end;
    });
  }

  /** Nobody has to look at it any more. @returns the paths */
  keep(selection: Selection): readonly string[] {
    const decision = newDecision();
    const plans = this.#select(selection).map(({ path, layers: former, chosen }) => {
      let layers = former;
      for (const { layer, hunks } of chosen) {
        const index = layers.indexOf(layer);
        const kept = hunks ? this.#replaceHunks(layer.before, layer.after, layer, hunks) : layer.after;
        if (index >= 0) layers = keepPart(layers, index, kept, this.#texts);
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
      const reverted: Reverted[] = [];
      for (const { layer, hunks } of chosen.toReversed()) {
        const to = hunks ? this.#replaceHunks(layer.after, layer.before, layer, hunks) : layer.before;
        if (this.#texts.read(layer.before) === undefined) return impossible(path, "not-kept");
        if (layer.isTouched) return impossible(path, "written-since");
        const next = takeOut(layers, former.indexOf(layer), to, this.#texts);
        if (next === undefined) return impossible(path, "changed-since");
        layers = next;
        const [from = null, rest = null] = [layer.after, to].map((each) => this.#texts.read(each));
        reverted.push({ path, turn: layer.turn, from, to: rest });
      }
      const [now, after] = [former, layers].map((each) => each.at(-1)?.after ?? { text: null });
      if (now && after) plans.push({ path, former, layers: layers.filter(isChange), now, after, reverted });
    }
    return { kind: "possible", plans };
  }

  /**
   * Writes what was planned, file by file. The agents hear of it by their next hook.
   * @param comment what the user says of it
   * @throws Error with the reason, a sentence about the file; what was written before it is written
   */
  async revert(plans: readonly Plan[], comment = ""): Promise<void> {
    const decision = newDecision();
    const done: Plan[] = [];
    try {
      for (const plan of plans) {
        await this.#texts.write(plan);
        this.#settle(plan, { decision });
        done.push(plan);
      }
    } finally {
      this.tellReverted(done, comment, decision);
    }
  }

  /** The agents hear of it by their next hook, as of what the user has reverted in an editor. Never throws. */
  tellReverted(plans: readonly Plan[], comment = "", decision = newDecision()): void {
    const parts = plans.flatMap(({ reverted = [] }) => reverted);
    this.#news.tell(parts, decision, comment);
  }

  /** The decisions that can be undone, and what they have changed, the last one first. */
  *decisions(): Iterable<{ readonly id: string; readonly paths: readonly string[] }> {
    const undone = new Set(this.#read.settled.map(({ undoes }) => undoes));
    const made = this.#read.settled.filter(({ former, decision }) => former && !undone.has(decision));
    const ids = new Set(made.toReversed().map(({ decision }) => decision));
    for (const id of ids) yield { id, paths: this.#filesOf(id).map(({ path }) => path) };
  }

  /**
   * Undoes a decision: the files are as they were before it, and so is what there is to look at.
   * @returns the path of a file that has changed since, where nothing was done
   * @throws Error as `revert`
   */
  async undo(id: string): Promise<string | undefined> {
    const files = this.#filesOf(id);
    const plans = files.flatMap(({ path, former }): readonly Plan[] =>
      former ? [{ path, former: [], layers: former.layers, now: former.after, after: former.now }] : [],
    );
    const changed = plans.find(({ path, now }) => !isSame(now, lookNow(path, now, this.#texts)));
    if (changed) return changed.path;
    for (const plan of plans) {
      await this.#texts.write(plan);
      this.#settle(plan, { decision: newDecision(), undoes: id });
    }
    const parts = files.flatMap(({ path, reverted = [] }) => reverted.map((turn) => ({ turn, path })));
    this.#news.tellUndone(parts, id);
    return undefined;
  }

  /** The files that a plan would change, as they are and as they would be; bytes, one character each. */
  textsOf(plans: readonly Plan[]): readonly RevertedTexts[] {
    return plans.map(({ path, now, after }) => ({
      path,
      before: this.#texts.read(now),
      after: this.#texts.read(after),
    }));
  }

  #filesOf(decision: string): readonly Settled[] {
    return this.#read.settled.filter((each) => each.decision === decision);
  }

  /** The layers that a selection is about, the lowest first, and which hunks of each; undefined for all of it. */
  #select({ turn, paths, hunks: indexes, lines }: Selection) {
    const layersOf = (path: string) => [path, this.#read.files.get(path) ?? []] as const;
    return (paths?.map(layersOf) ?? [...this.#read.files]).flatMap(([path, layers]) => {
      const chosen: { readonly layer: Layer; readonly hunks: readonly LineChange[] | undefined }[] = [];
      let ranges = lines;
      for (const layer of layers.toReversed()) {
        const found = ranges && hunksIn(this.#hunksOf(layer), ranges);
        ranges = found?.before;
        const hunks = indexes
          ? this.#hunksOf(layer).filter((_, index) => indexes.includes(index))
          : found?.chosen;
        const isWanted = (turn === undefined || layer.turn === turn) && hunks?.length !== 0;
        if (isWanted) chosen.unshift({ layer, hunks });
      }
      return chosen.length > 0 ? [{ path, layers, chosen }] : [];
    });
  }

  #hunksOf(layer: Layer): readonly LineChange[] {
    const known = this.#hunks.get(layer);
    if (known) return known;
    const [before, after] = [layer.before, layer.after].map((each) => linesOf(this.#texts.read(each) ?? ""));
    const hunks = changesOf(before ?? [], after ?? []);
    this.#hunks.set(layer, hunks);
    return hunks;
  }

  #toChange(path: string, layer: Layer): WrittenChange {
    const { turn, before, after } = layer;
    const [from, to] = [this.#texts.read(before), this.#texts.read(after)];
    const kind = from === null ? "added" : to === null ? "deleted" : "modified";
    const isKept = from !== undefined && to !== undefined;
    const hunks = isKept ? this.#hunksOf(layer) : [];
    const withheld = [before, after].flatMap((each) => ("withheld" in each ? [each.withheld] : []))[0];
    return {
      ...{ turn, path, kind, hunks, before: from, after: to },
      ...sizeOf(hunks),
      ...(!isKept && { withheld: withheld ?? "unknown" }),
      revision: hashOf([before, after].map(toStamp).join(" ")).slice(0, 12),
    };
  }

  /** One side of a layer with the lines that the other side has in some hunks. */
  #replaceHunks(side: Content, other: Content, { before }: Layer, hunks: readonly LineChange[]): Content {
    const [text = "", theirs = ""] = [side, other].map((each) => this.#texts.read(each) ?? "");
    const replaced = replaceHunks(text, theirs, hunks, side === before);
    // A file of one hunk is there or not as a whole.
    return replaced === theirs ? other : this.#texts.add(replaced, side);
  }

  #settle(
    { path, layers, former, now, after, reverted }: Plan,
    of: { readonly decision: string; readonly undoes?: string },
  ): void {
    for (const layer of [...layers, ...former])
      for (const each of [layer.before, layer.after]) this.#texts.save(each);
    for (const each of [now, after]) this.#texts.save(each);
    this.#log.append({
      ...{ kind: "settled", at: Date.now(), path, layers: [...layers], ...of },
      ...(reverted && { reverted: reverted.map(({ turn }) => turn) }),
      ...(of.undoes === undefined && { former: { layers: [...former], now, after } }),
    });
  }
}

const toStamp = (content: Content) => ("text" in content ? content.text : content.stamp);

const isChange = ({ before, after }: Layer): boolean => !isSame(before, after);

const newDecision = (): string => randomBytes(4).toString("hex");

const impossible = (path: string, reason: RevertTrouble): Reverting => ({ kind: "impossible", path, reason });
