import { readFile } from "node:fs/promises";
import type { ServedCompanion } from "../../companion.ts";
import type { RecoveredEdits } from "../../core/edits/recovered-edits.ts";
import { laterOf, planRewrite } from "../../core/history/rewrite.ts";
import { revertTroubles } from "../../core/sentences.ts";
import type { Written } from "../../core/written/written.ts";
import { type FileText, readFileText, toFileText } from "../../files/file-text.ts";
import type { LineChange } from "../../files/line-diff.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import { type PathLabels, realPathOf } from "../../files/workspace-path.ts";
import { toWrittenForm } from "../../files/written-form.ts";
import { StoredLists } from "../protocol/lists.ts";
import { findItem, toRecords } from "../protocol/written-list.ts";
import type { ActMessage, EditsTexts, HistoryTexts, WrittenTexts } from "./protocol.ts";

/** What a page needs of its companion. */
export type PageCompanion = Pick<
  ServedCompanion,
  "status" | "edits" | "comments" | "sendComments" | "history" | "written" | "reviewSwitch" | "turns" | "send"
>;

/** What is decided about what agents have written. */
type Decided = Pick<ActMessage, "id" | "action" | "hunks" | "revision">;

/** What the companion stores, as pages read it and act on it. */
export class Stored {
  readonly lists: StoredLists;
  readonly #labels: PathLabels;
  readonly #companion: () => PageCompanion | undefined;

  constructor(labels: PathLabels, companion: () => PageCompanion | undefined) {
    this.lists = new StoredLists(labels, async () => companion());
    this.#labels = labels;
    this.#companion = companion;
  }

  /** Whether a file was decided about in this run. */
  holds(filePath: string): boolean {
    const history = this.#companion()?.history;
    const decisions = history?.list() ?? [];
    return decisions.some((one) => one.filePath === filePath && history?.proposalOf(one.id) !== undefined);
  }

  /** @returns undefined when there are none of this id */
  async edits(id: string): Promise<EditsTexts | undefined> {
    const found = this.#companion()?.edits.read(id);
    return found && { text: found.text, onDisk: await readFileText(found.filePath) };
  }

  /** @returns undefined when it does not wait any more, or its texts are not kept */
  async written(id: string): Promise<WrittenTexts | undefined> {
    const written = this.#companion()?.written;
    // As it is listed: a page asks for many files at once.
    const waiting = written?.latest ?? (await written?.read());
    const { change, source } = (waiting && findItem(waiting, id)) ?? {};
    const before = (source ?? change)?.before;
    if (before === undefined || change?.after === undefined) return undefined;
    const { after, hunks, revision } = change;
    return { before: toFile(before), after: toFile(after), revision, ...(!source && { hunks }) };
  }

  /** The files, for people, of the last decision about what agents have written that can be undone. */
  async decided(): Promise<readonly string[]> {
    const waiting = this.#companion()?.written.latest;
    return (waiting && (await this.#lastDecision(waiting)))?.labels ?? [];
  }

  /** The last one about files of the open folders alone that can be undone. */
  async #lastDecision(waiting: Written) {
    for (const { id, paths } of waiting.decisions()) {
      const files = await Promise.all(paths.map((path) => this.#labels.of(path)));
      const isListed = files.every(({ outsideRoots }) => !outsideRoots);
      if (isListed) return { id, labels: files.map(({ label }) => label) };
    }
    return undefined;
  }

  /** Where agents have written a file. @param path absolute */
  async marks(path: string): Promise<readonly LineChange[]> {
    const written = await this.#companion()?.written.read();
    const hunks = written?.fileAt(await realPathOf(path))?.hunks ?? [];
    return hunks.map(({ turn: _, ...hunk }) => hunk);
  }

  /** @returns undefined where the history does not hold them */
  async history(id: string): Promise<HistoryTexts | undefined> {
    const found = this.#companion()?.history.read(id);
    if (found?.texts?.before === undefined) return undefined;
    const { filePath, texts, outcome, comments } = found;
    const onDisk = await readFileText(filePath);
    return {
      ...{ ...texts, before: found.texts.before, onDisk },
      ...(comments && { comments }),
      ...(outcome === "accepted" && { undo: planRewrite("undo", found, onDisk) }),
      reapply: planRewrite("reapply", found, onDisk),
    };
  }

  /**
   * Does with a record what its user wants. What comes of it for a file is written, as long as the file is as the user
   * has seen it: recovered edits in the line endings that it has, line by line where it mixes them.
   * @returns whose prompt has it, for people
   * @throws Error with a sentence; then the file is as it was
   */
  async act({ list, stamp, ...wanted }: Omit<ActMessage, "type">): Promise<string | undefined> {
    if (list === "written") return this.#decide(wanted);
    const { id, action } = wanted;
    const { put, message, agent } = await this.lists.act(list, id, action);
    if (!put && list === "history") throw new Error(message);
    if (!put) return agent;
    const { onDisk, bytes } = await readAsSeen(put.filePath, stamp);
    const isForm = list === "edits" && put.content !== null && onDisk.kind === "text";
    const text = isForm ? toWrittenForm(onDisk.text, put.content) : put.content;
    await writeReviewedFile(put.filePath, text, { before: { bytes } });
    if (list === "edits")
      this.#companion()?.edits.discard(id); // the file holds them now
    else if (action === "undo" || action === "reapply") this.#companion()?.history.note(id, laterOf[action]);
    return agent;
  }

  /**
   * Keeps or reverts what agents have written, or undoes the last decision about that.
   * @throws Error with a sentence; then no file has changed, or only those before the one that could not be written
   */
  async #decide({ id, action, hunks, revision }: Decided): Promise<undefined> {
    const waiting = await this.#companion()?.written.read();
    if (!waiting) throw new Error("The companion is not running.");
    if (action === "undo") {
      const last = await this.#lastDecision(waiting);
      if (!last) throw new Error("There is no decision to undo.");
      if ((await waiting.undo(last.id)) === undefined) return;
      throw new Error("The file has changed since: nothing was undone.");
    }
    const named = toRecords(waiting, id);
    const labels = await Promise.all(named.map(({ filePath }) => this.#labels.of(filePath)));
    const chosen = named.filter((_, index) => !labels[index]?.outsideRoots);
    const [first] = chosen;
    if (!first) throw new Error("This change does not wait any more.");
    if (revision !== undefined && revision !== chosen.map((one) => one.revision).join(" "))
      throw new Error("The file has changed: look again.");
    const paths = chosen.map(({ filePath }) => filePath);
    const selection = { turn: first.turn, paths, ...(hunks && { hunks }) };
    if (action === "keep") return void waiting.keep(selection);
    const plan = waiting.planRevert(selection);
    if (plan.kind === "impossible") throw new Error(revertTroubles[plan.reason]);
    await waiting.revert(plan.plans);
  }

  /**
   * Keeps a text that only a page has, unless it is among the recovered edits already. It replaces what a companion
   * that was killed had written of the same proposal.
   * @throws Error when there is no place for it
   */
  keep(fresh: Omit<RecoveredEdits, "id" | "at">): void {
    const edits = this.#companion()?.edits;
    if (!edits) throw new Error("The companion is not running.");
    const ofFile = edits.list().filter(({ filePath }) => filePath === fresh.filePath);
    if (ofFile.some(({ id }) => edits.read(id)?.text === fresh.text)) return;
    edits.add(fresh);
    for (const { id, agent, openedAt } of ofFile)
      if (openedAt === fresh.openedAt && agent === fresh.agent) edits.discard(id);
  }
}

/** @param bytes one character each; null where there was no file */
const toFile = (bytes: string | null): FileText =>
  bytes === null ? { kind: "missing" } : toFileText(Buffer.from(bytes, "latin1"), "");

/**
 * A file that may be written, because its user has seen what it holds.
 * @param stamp of the file as the user has seen it; undefined where there was none
 * @throws Error with a sentence when it is no text, or another one by now
 */
async function readAsSeen(filePath: string, stamp: string | undefined) {
  const onDisk = await readFileText(filePath);
  if (onDisk.kind !== "text" && onDisk.kind !== "missing") throw new Error("The file on disk is not a text.");
  const isText = onDisk.kind === "text";
  if ((isText ? onDisk.stamp : undefined) !== stamp) {
    throw new Error("The file has changed since you looked at it. Look at it once more.");
  }
  return { onDisk, bytes: isText ? await readFile(filePath) : undefined };
}
