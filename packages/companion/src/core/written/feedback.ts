import { unlinkSync } from "node:fs";
import path from "node:path";
import { hashOf } from "../../files/text-hash.ts";
import { namesIn } from "../../system/disk.ts";
import {
  ensureOwnedFolder,
  readPrivateFile,
  removeFile,
  writePrivateFile,
} from "../../system/private-file.ts";

/** An agent's conversation with its user, by the agent's name and its name for the session. */
export const toConversation = (agent: string, session: string): string => JSON.stringify([agent, session]);

/** What agents are to hear of their users' decisions: private files, each until a hook of its conversation takes it. */
export class Feedback {
  readonly #folder: string;

  /** @param folder absolute path of the record */
  constructor(folder: string) {
    this.#folder = path.join(folder, "feedback");
  }

  /** @throws Error of the file system, or FolderError */
  add(to: string, decision: string, text: string): void {
    ensureOwnedFolder(path.dirname(this.#folder));
    ensureOwnedFolder(this.#folder);
    writePrivateFile(path.join(this.#folder, `${keyOf(to)}-${Date.now()}-${decision}`), text);
  }

  /** A conversation is not to hear of a decision any more. @returns whether it would have */
  withdraw(to: string, decision: string): boolean {
    const all = this.#of(to).filter((name) => name.endsWith(`-${decision}`));
    for (const name of all) removeFile(path.join(this.#folder, name));
    return all.length > 0;
  }

  /** What a conversation is to hear, once: of two hooks at the same time only one has it. */
  take(to: string): string | undefined {
    const texts = this.#of(to).flatMap((name) => {
      const file = path.join(this.#folder, name);
      const text = readPrivateFile(file);
      try {
        unlinkSync(file);
      } catch {
        return []; // another hook has it
      }
      return text === undefined ? [] : [text];
    });
    return texts.length > 0 ? texts.join("\n\n") : undefined;
  }

  /** Oldest first. */
  #of(to: string): readonly string[] {
    return namesIn(this.#folder)
      .filter((name) => name.startsWith(`${keyOf(to)}-`))
      .sort();
  }
}

const keyOf = (conversation: string): string => hashOf(conversation).slice(0, 16);
