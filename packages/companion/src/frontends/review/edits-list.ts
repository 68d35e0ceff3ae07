import { type Edits, noEdits, type RecoveredEdits } from "../../core/edits/recovered-edits.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import type { createPathLabels } from "../../files/workspace-path.ts";
import { toWrittenForm } from "../../files/written-form.ts";
import { readAsSeen } from "./past-changes.ts";
import type { EditsSummary } from "./protocol.ts";

/** The recovered edits, as the pages show them. */
export interface EditsList extends Pick<Edits, "read" | "discard"> {
  /**
   * Keeps a text that only a page has, unless it is among the recovered edits already. It replaces what a companion
   * that was killed had written of the same proposal.
   * @returns its id there
   * @throws Error when there is no place for it
   */
  keep(edits: Omit<RecoveredEdits, "id" | "at">): string;
  /**
   * Writes recovered edits to their file, in the line endings that it has, line by line where it mixes them.
   * @param stamp of the file as the user has seen it
   * @throws Error with a sentence; then the file is as it was
   */
  restore(id: string, stamp: string | undefined): Promise<void>;
  /** From now on those of a companion. */
  use(edits: Edits): void;
  list(): Promise<readonly EditsSummary[]>;
}

export function createEditsList(labels: ReturnType<typeof createPathLabels>): EditsList {
  let edits: Edits | undefined;

  async function restore(id: string, stamp: string | undefined): Promise<void> {
    const found = edits?.read(id);
    if (!found) throw new Error("There are no such recovered edits any more.");
    const { filePath, text } = found;
    const { onDisk, bytes } = await readAsSeen(filePath, stamp);
    const written = onDisk.kind === "text" ? toWrittenForm(onDisk.text, text) : text;
    await writeReviewedFile(filePath, written, { before: { bytes } });
    edits?.discard(id); // the file holds them now, in its own line endings
  }

  return {
    keep: (fresh) => {
      if (!edits) throw new Error("no companion keeps edits here");
      const ofFile = edits.list().filter(({ filePath }) => filePath === fresh.filePath);
      const known = ofFile.find(({ id }) => edits?.read(id)?.text === fresh.text);
      if (known) return known.id;
      const { id } = edits.add(fresh);
      const isOlder = (one: { readonly openedAt?: number; readonly agent: string }) =>
        one.openedAt !== undefined && one.openedAt === fresh.openedAt && one.agent === fresh.agent;
      for (const former of ofFile.filter(isOlder)) edits.discard(former.id);
      return id;
    },
    restore,
    use: (next) => {
      edits = next;
    },
    read: (id) => edits?.read(id),
    discard: (id) => edits?.discard(id) ?? false,
    list: () => {
      const all = (edits ?? noEdits).list();
      return Promise.all(all.map(async (one) => ({ ...one, label: (await labels.of(one.filePath)).label })));
    },
  };
}
