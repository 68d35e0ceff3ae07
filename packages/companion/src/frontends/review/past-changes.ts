import { readFile } from "node:fs/promises";
import type { DecisionHistory } from "../../companion.ts";
import type { PastDecision } from "../../core/history/past-decision.ts";
import { planRewrite, type Rewriting, writeSeen } from "../../core/history/rewrite.ts";
import { type FileText, readFileText } from "../../files/file-text.ts";
import type { PathLabels } from "../../files/workspace-path.ts";
import type { HistoryEntry, HistoryTexts } from "./protocol.ts";

/** Entries that a page is sent at most. */
const maxEntries = 200;

/** A file that may be written, because its user has seen what it holds. */
export interface SeenFile {
  readonly onDisk: Extract<FileText, { readonly kind: "text" | "missing" }>;
  /** Undefined where there is none. */
  readonly bytes: Buffer | undefined;
}

/**
 * @param stamp of the file as the user has seen it; undefined where there was none
 * @throws Error with a sentence when it is no text, or another one by now
 */
export async function readAsSeen(filePath: string, stamp: string | undefined): Promise<SeenFile> {
  const onDisk = await readFileText(filePath);
  if (onDisk.kind !== "text" && onDisk.kind !== "missing") throw new Error("The file on disk is not a text.");
  const isText = onDisk.kind === "text";
  if ((isText ? onDisk.stamp : undefined) !== stamp) {
    throw new Error("The file has changed since you looked at it. Look at it once more.");
  }
  return { onDisk, bytes: isText ? await readFile(filePath) : undefined };
}

/** The companion's history, as the pages show it. */
export class PastChanges {
  readonly #labels: PathLabels;
  readonly #toWireId: (proposalId: string) => string;
  #history: DecisionHistory | undefined;

  constructor(labels: PathLabels, toWireId: (proposalId: string) => string) {
    this.#labels = labels;
    this.#toWireId = toWireId;
  }

  /** From now on that of a companion. */
  use(history: DecisionHistory): void {
    this.#history = history;
  }

  /** Newest first: decisions of this run, and those of other ones about files in the open folders. */
  async list(): Promise<readonly HistoryEntry[]> {
    const entries: HistoryEntry[] = [];
    for (const { bytes: _, ...decision } of this.#history?.list() ?? []) {
      const { label, outsideRoots } = await this.#labels.of(decision.filePath);
      const id = this.#history?.proposalOf(decision.id);
      if (id === undefined && outsideRoots) continue;
      entries.push({ ...decision, label, ...(id !== undefined && { proposalId: this.#toWireId(id) }) });
      if (entries.length === maxEntries) break;
    }
    return entries;
  }

  /** Whether a file was decided about in this run. */
  holds(filePath: string): boolean {
    const decisions = this.#history?.list() ?? [];
    return decisions.some(
      (one) => one.filePath === filePath && this.#history?.proposalOf(one.id) !== undefined,
    );
  }

  /** @returns undefined where the history does not hold them */
  async texts(id: string): Promise<HistoryTexts | undefined> {
    const found = this.#history?.read(id);
    if (found?.texts?.before === undefined) return undefined;
    const { filePath, texts, outcome, comments } = found;
    const onDisk = await readFileText(filePath);
    return {
      ...{ filePath, ...texts, before: found.texts.before, onDisk },
      ...(comments && { comments }),
      ...(outcome === "accepted" && { undo: planRewrite("undo", found, onDisk) }),
      reapply: planRewrite("reapply", found, onDisk),
    };
  }

  /**
   * Writes what the user has seen of a past change.
   * @param stamp of the file as the user has seen it
   * @throws Error with a sentence; then the file is as it was
   */
  async rewrite(kind: Rewriting, id: string, stamp: string | undefined): Promise<void> {
    const found: PastDecision | undefined = this.#history?.read(id);
    if (!found) throw new Error("The texts of this change are not kept any more.");
    const { onDisk, bytes } = await readAsSeen(found.filePath, stamp);
    const plan = planRewrite(kind, found, onDisk);
    if (plan.kind !== "change") throw new Error("There is nothing to write.");
    await writeSeen(found.filePath, plan.text, bytes);
    this.#history?.note(id, kind === "undo" ? "undone" : "reapplied");
  }

  /**
   * Takes the accepted changes of a turn out of their files as they are now, the last one first.
   * @throws Error with a sentence when some could not be undone
   */
  async undoTurn(turn: string): Promise<void> {
    let isLeft = false;
    for (const { id, filePath, ...one } of this.#history?.list() ?? []) {
      if (one.turn !== turn || one.outcome !== "accepted" || one.later === "undone") continue;
      try {
        const onDisk = await readFileText(filePath);
        await this.rewrite("undo", id, onDisk.kind === "text" ? onDisk.stamp : undefined);
      } catch {
        isLeft = true; // its view says why
      }
    }
    if (isLeft) throw new Error("Some changes could not be undone: look at each of them.");
  }
}
