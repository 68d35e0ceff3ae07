import type { FileText, PageMessage, Rewriting } from "./api.ts";

/** What the user asks the companion to write. It writes nothing when the file is not what the user has seen. */
export interface FileRequests {
  /**
   * Writes recovered edits to their file.
   * @param onDisk the file as it is shown
   * @throws Error with a sentence for the user
   */
  restore(editsId: string, onDisk: FileText): Promise<void>;
  /**
   * Takes an accepted change out of its file, or puts the user's version of a change into it again.
   * @param onDisk the file as it is shown
   * @throws Error with a sentence for the user
   */
  rewrite(kind: Rewriting, entryId: string, onDisk: FileText): Promise<void>;
  /** The companion's answer to any of them. */
  answered(id: string, trouble: string | undefined): void;
}

export function createFileRequests(send: (message: PageMessage) => boolean): FileRequests {
  /** By the id of what they are about. */
  const waiting = new Map<string, (trouble: string | undefined) => void>();

  async function ask(type: "restore-edits" | Rewriting, id: string, onDisk: FileText): Promise<void> {
    const stamp = onDisk.kind === "text" ? { stamp: onDisk.stamp } : {};
    const trouble = await new Promise<string | undefined>((resolve) => {
      waiting.set(id, resolve);
      if (!send({ type, id, ...stamp })) resolve("The companion cannot be reached just now.");
    });
    waiting.delete(id);
    if (trouble !== undefined) throw new Error(trouble);
  }

  return {
    restore: (id, onDisk) => ask("restore-edits", id, onDisk),
    rewrite: ask,
    answered: (id, trouble) => waiting.get(id)?.(trouble),
  };
}
