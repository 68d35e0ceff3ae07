import { displayNameOf } from "../../agents/agents.ts";
import { changesOf, type Hunk, linesAsShown, nextOf, placeHunks } from "../../core/hunks.ts";
import { revertTroubles } from "../../core/sentences.ts";
import type { RevertedTexts } from "../../core/written/layers.ts";
import type { Bytes } from "../../core/written/texts.ts";
import type { Selection, Written, WrittenFile } from "../../core/written/written.ts";
import { absent, fileStampOf } from "../../files/file-stamp.ts";
import type { LineChange } from "../../files/line-diff.ts";
import { type PathLabels, realPathOf } from "../../files/workspace-path.ts";
import { mergeIntoBuffer } from "./buffer-edits.ts";
import { refuse, type Stores } from "./stored-list.ts";
import { textOf, toHunks, toText } from "./written-list.ts";
import type { DecidedHunks, DecideHunks, FileWritten, PlaceHunks, WrittenHunks } from "./written-messages.ts";

export interface HunksFollowerOptions {
  readonly labels: PathLabels;
  /** Resolves once the companion has started; undefined where it cannot. */
  readonly started: () => Promise<Pick<Stores, "written"> | undefined>;
  /** Called for each open file whose hunks are others now. */
  readonly onHunks: (hunks: WrittenHunks) => void;
  /** Called when an open file with hunks may have been written. */
  readonly onWritten: (file: FileWritten) => void;
}

/** Hunks of one file, as the user has seen them. */
export interface HunkChoice {
  readonly filePath: string;
  readonly revision: string;
  readonly ids: readonly string[];
}

/** A file with its hunks, and its text. */
interface KnownHunks {
  file?: WrittenFile | undefined;
  hunks: WrittenHunks["hunks"];
  text?: string | undefined;
}

/** An open file as its frontend has seen it last. */
interface Shown extends KnownHunks {
  readonly path: string;
  stamp?: string | undefined;
}

/** How often to look whether files with hunks have been written, in milliseconds: a stat each. */
const pace = 500;

/** What agents wrote in the files that are open in one frontend, hunk by hunk. */
export class HunksFollower {
  readonly #options: HunksFollowerOptions;
  /** By the path that the frontend uses. */
  readonly #open = new Map<string, Shown>();
  #wanted: ReadonlySet<string> = new Set();
  #last: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #stop: (() => void) | undefined;

  constructor(options: HunksFollowerOptions) {
    this.#options = options;
  }

  /** @param paths absolute, of all files that are open now */
  open(paths: readonly string[]): void {
    const wanted = new Set(paths);
    if (wanted.size === this.#wanted.size && paths.every((path) => this.#wanted.has(path))) return;
    this.#wanted = wanted;
    this.#soon(() => this.#follow());
  }

  /** @param content the document, to revert in it; without it the file is written @throws Error with a sentence */
  async decide(
    { filePath, revision, ids }: HunkChoice,
    action: DecideHunks["action"],
    content?: string,
  ): Promise<Omit<DecidedHunks, "line">> {
    const store = (await this.#options.started())?.written;
    const written = (await store?.read()) ?? refuse("Nothing is recorded.");
    const path = await realPathOf(filePath);
    const file = written.fileAt(path);
    const hunks = file?.revision === revision ? toHunks(file) : [];
    const lines = file?.hunks.filter((_, index) => ids.includes(hunks[index]?.id ?? "")) ?? [];
    if (lines.length === 0) refuse("The file has changed: look again.");
    const selection = { paths: [path], lines };
    if (action === "keep") written.keep(selection);
    else {
      const plans = await this.#planRevert(written, selection);
      if (content !== undefined) {
        const { label } = await this.#options.labels.of(filePath);
        const decided = revertIn(content, written.textsOf(plans)[0], label);
        store?.tellOnceSaved(written, plans, { filePath: path, text: decided.content });
        return decided;
      }
      await written.revert(plans);
    }
    await this.#soon(() => this.#look());
    return {};
  }

  /** Decides about all that a turn has written, or about one file. @throws Error with a sentence */
  async decideTurn(turn: string, action: DecideHunks["action"], filePath?: string): Promise<void> {
    const written = (await (await this.#options.started())?.written.read()) ?? refuse("Nothing is recorded.");
    const selection = { turn, ...(filePath !== undefined && { paths: [filePath] }) };
    if (action === "keep") written.keep(selection);
    else await written.revert(await this.#planRevert(written, selection));
    this.#soon(() => this.#look());
  }

  /** @throws Error with a sentence */
  async #planRevert(written: Written, selection: Selection) {
    const plan = written.planRevert(selection);
    if (plan.kind !== "impossible") return plan.plans;
    const { label } = await this.#options.labels.of(plan.path);
    return refuse(`${label}: ${revertTroubles[plan.reason]}`);
  }

  /** The hunks of a file in its buffer. */
  async place({ filePath, content }: PlaceHunks): Promise<WrittenHunks> {
    await this.#last;
    const known = this.#open.get(filePath) ?? (await this.#read(filePath));
    const hunks = placeIn(known, content).map(({ written }) => written);
    return { filePath, revision: known.file?.revision ?? "", hunks };
  }

  /** Where the hunks of an open file are in its document. Those in whose lines it is another text are left out. */
  placedIn(filePath: string, text: string): readonly PlacedHunk[] {
    const known = this.#open.get(filePath);
    return known ? placeIn(known, text) : [];
  }

  /** @returns undefined where there is nothing to look at */
  revisionOf(filePath: string): string | undefined {
    return this.#open.get(filePath)?.file?.revision;
  }

  /** The name that the frontend uses for a file. */
  nameOf(path: string): string {
    const [name = path] = [...this.#open].find(([, shown]) => shown.path === path) ?? [];
    return name;
  }

  /**
   * Another file with something to look at, and its hunks: in the order of names, and in a circle.
   * @param decided files that are decided in buffers that are not saved
   */
  async next(filePath: string, by: 1 | -1, decided: readonly string[]): Promise<WrittenHunks | undefined> {
    const written = await (await this.#options.started())?.written.read();
    const [here = "", ...left] = await Promise.all([filePath, ...decided].map(realPathOf));
    const paths: string[] = [];
    for (const path of written?.openSince().keys() ?? []) {
      const isThere = path !== here && !left.includes(path) && fileStampOf(path) !== absent;
      if (isThere && !(await this.#options.labels.of(path)).outsideRoots) paths.push(path);
    }
    paths.sort();
    const found = nextOf(paths, here, by) ?? paths.at(by > 0 ? 0 : -1) ?? "";
    const file = written?.fileAt(found);
    return file && { filePath: this.nameOf(found), revision: file.revision, hunks: toHunks(file) };
  }

  close(): void {
    this.open([]);
    clearInterval(this.#timer);
    this.#stop?.();
  }

  /** What is recorded of a file that may not be open yet. */
  async #read(filePath: string): Promise<KnownHunks> {
    const written = await (await this.#options.started())?.written.read();
    return toKnown(written?.fileAt(await realPathOf(filePath)));
  }

  /** One after the other, so that what is sent last is true. */
  #soon(act: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(act).catch(() => {}); // a record that cannot be read is read again with its next change
    return this.#last;
  }

  /** What is open is what is wanted. */
  async #follow(): Promise<void> {
    const record = (await this.#options.started())?.written;
    // What is the newest once it is this one's turn: a decision may have come between.
    this.#stop ??= record?.onChange(() => this.#soon(() => this.#look(record.latest)));
    for (const path of this.#open.keys()) if (!this.#wanted.has(path)) this.#open.delete(path);
    const fresh = [...this.#wanted].filter((path) => !this.#open.has(path));
    for (const path of fresh) this.#open.set(path, { path: await realPathOf(path), hunks: [] });
    if (fresh.length > 0) await this.#look();
    else this.#watch();
  }

  /** Sends what has changed. @param written the record, if it has just been read */
  async #look(written?: Written): Promise<void> {
    const stamps = new Map([...this.#open.values()].map(({ path }) => [path, fileStampOf(path)]));
    const read = written ?? (await (await this.#options.started())?.written.read());
    for (const [filePath, shown] of this.#open) {
      const { file: former, stamp: formerStamp } = shown;
      shown.file = read?.fileAt(shown.path);
      shown.stamp = stamps.get(shown.path);
      const { file, stamp } = shown;
      // Also at the first look: it may have been written since the editor read it.
      if (file && stamp !== formerStamp)
        await this.#tellWritten(filePath, file, former ? former.after : file.last, formerStamp === absent);
      if (file?.revision === former?.revision) continue;
      Object.assign(shown, toKnown(file));
      this.#options.onHunks({ filePath, revision: file?.revision ?? "", hunks: shown.hunks });
    }
    this.#watch();
  }

  async #tellWritten(
    filePath: string,
    file: WrittenFile,
    before: Bytes | undefined,
    isNew: boolean,
  ): Promise<void> {
    const { label } = await this.#options.labels.of(filePath);
    const agent = displayNameOf(file.turn.agent);
    const text = typeof before === "string" ? textOf(before) : before;
    const known = text === undefined ? {} : { before: text };
    this.#options.onWritten({ ...{ id: "", agent, filePath, label, isNew, isWritten: true }, ...known });
  }

  /** The user saves what is under review, without a word to us. */
  #watch(): void {
    clearInterval(this.#timer);
    const watched = [...this.#open.values()].filter(({ file }) => file);
    const look = () => {
      if (watched.some(({ path, stamp }) => fileStampOf(path) !== stamp)) this.#soon(() => this.#look());
    };
    if (watched.length > 0) this.#timer = setInterval(look, pace).unref();
  }
}

/** A hunk in a document as it stands in an editor. */
export interface PlacedHunk {
  /** Its lines are those of the document. */
  readonly hunk: Hunk;
  /** The same as plugins get it, in lines of the document as well. */
  readonly written: {
    readonly id: string;
    readonly agent: string;
    readonly turn: string;
    readonly line: number;
    readonly added: number;
    readonly removed: string[];
  };
}

const toKnown = (file: WrittenFile | undefined): KnownHunks => ({
  ...{ file, hunks: file ? toHunks(file) : [] },
  text: file && textOf(file.after),
});

/** Where hunks of a known text are in another one. */
function placeIn({ hunks, text: known }: KnownHunks, text: string): readonly PlacedHunk[] {
  // A carriage return alone ends a line in LSP.
  if (known === undefined || /\r(?!\n)/.test(text)) return [];
  const lines = linesAsShown(text);
  const changes = changesOf(linesAsShown(known), lines);
  return hunks.flatMap((written) => {
    const [start, end] = [written.line - 1, written.line - 1 + written.added];
    const isOther = ({ at, removed }: LineChange) =>
      at + removed > start ? at < Math.max(end, start + 1) : at === start && start === end;
    if (changes.some(isOther)) return [];
    const earlier = changes.filter(({ at, removed }) => at + removed <= start);
    const line = earlier.reduce((sum, { added, removed }) => sum + added - removed, start);
    const hunk = { line, added: lines.slice(line, line + written.added), removed: written.removed };
    return [{ hunk, written: { ...written, line: line + 1 } }];
  });
}

/** A buffer with what a revert makes of its file. @throws Error with a sentence */
function revertIn(content: string, texts: RevertedTexts | undefined, label: string) {
  const [before, after] = [toText(texts?.before), toText(texts?.after)];
  if (typeof after !== "string") refuse("The change made this file: delete it to undo that.");
  const reverted = mergeIntoBuffer(content, before ?? "", after);
  if (reverted.kind === "clash") refuse(`${label}: ${revertTroubles["changed-in-buffer"]}`);
  return { content: reverted.text, edits: placeHunks(content, reverted.text) };
}
