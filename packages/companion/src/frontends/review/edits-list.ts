import { type Edits, noEdits, type RecoveredEdits } from "../../core/edits/recovered-edits.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import type { PathLabels } from "../../files/workspace-path.ts";
import { toWrittenForm } from "../../files/written-form.ts";
import { readAsSeen } from "./past-changes.ts";
import type { EditsSummary } from "./protocol.ts";

/** The recovered edits, as the pages show them. */
export class EditsList {
  readonly #labels: PathLabels;
  #edits: Edits | undefined;

  constructor(labels: PathLabels) {
    this.#labels = labels;
  }

  /** From now on those of a companion. */
  use(edits: Edits): void {
    this.#edits = edits;
  }

  list(): Promise<readonly EditsSummary[]> {
    const all = (this.#edits ?? noEdits).list();
    return Promise.all(
      all.map(async (one) => ({ ...one, label: (await this.#labels.of(one.filePath)).label })),
    );
  }

  read(id: string): RecoveredEdits | undefined {
    return this.#edits?.read(id);
  }

  discard(id: string): void {
    this.#edits?.discard(id);
  }

  /**
   * Keeps a text that only a page has, unless it is among the recovered edits already. It replaces what a companion
   * that was killed had written of the same proposal.
   * @returns its id there
   * @throws Error when there is no place for it
   */
  keep(fresh: Omit<RecoveredEdits, "id" | "at">): string {
    const edits = this.#edits;
    if (!edits) throw new Error("no companion keeps edits here");
    const ofFile = edits.list().filter(({ filePath }) => filePath === fresh.filePath);
    const known = ofFile.find(({ id }) => edits.read(id)?.text === fresh.text);
    if (known) return known.id;
    const { id } = edits.add(fresh);
    const isOlder = (one: { readonly openedAt?: number; readonly agent: string }) =>
      one.openedAt !== undefined && one.openedAt === fresh.openedAt && one.agent === fresh.agent;
    for (const former of ofFile.filter(isOlder)) edits.discard(former.id);
    return id;
  }

  /**
   * Writes recovered edits to their file, in the line endings that it has, line by line where it mixes them.
   * @param stamp of the file as the user has seen it
   * @throws Error with a sentence; then the file is as it was
   */
  async restore(id: string, stamp: string | undefined): Promise<void> {
    const found = this.read(id);
    if (!found) throw new Error("There are no such recovered edits any more.");
    const { filePath, text } = found;
    const { onDisk, bytes } = await readAsSeen(filePath, stamp);
    const written = onDisk.kind === "text" ? toWrittenForm(onDisk.text, text) : text;
    await writeReviewedFile(filePath, written, { before: { bytes } });
    this.discard(id); // the file holds them now, in its own line endings
  }
}
