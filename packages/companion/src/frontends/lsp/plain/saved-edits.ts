import type { Edits, RecoveredEdits } from "../../../core/edits/recovered-edits.ts";
import type { SavedEdits } from "./proposal-folder.ts";

/**
 * Moves what users saved in the documents of proposals to the recovered edits.
 * @returns what was not there yet
 * @throws Error when the disk does not take them: then the rest stays where it is
 */
export function adoptSavedEdits(saved: readonly SavedEdits[], edits: Edits): readonly RecoveredEdits[] {
  const texts = new Set(edits.list().map(({ id, filePath }) => `${filePath}\0${edits.read(id)?.text}`));
  return saved.flatMap(({ filePath, agent, proposed, text, remove }) => {
    const reason = "The editor ended before you decided.";
    const isKnown = texts.has(`${filePath}\0${text}`);
    const added = isKnown ? [] : [edits.add({ filePath, agent, reason, proposed, text })];
    remove();
    return added;
  });
}
