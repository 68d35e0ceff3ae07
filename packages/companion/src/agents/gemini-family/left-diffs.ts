import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import path from "node:path";
import type { Proposal } from "../../core/editor.ts";
import { rootOf } from "../../files/workspace-path.ts";
import { namesIn } from "../../system/disk.ts";
import { tryParseJson } from "../../system/json.ts";
import { pidIsAlive } from "../../system/liveness.ts";
import {
  ensureOwnedFolder,
  readPrivateFile,
  removeFile,
  writePrivateFile,
} from "../../system/private-file.ts";

/** How long a CLI may wait for a companion that was killed, in milliseconds. */
const longestWait = 24 * 60 * 60_000;

/** A diff, by its agent's name for people. */
export type OpenDiff = Pick<Proposal, "agent" | "filePath">;

/**
 * The diffs that a companion has open, on disk as long as it has them: of one that was killed, the next
 * companion knows by them what a CLI still waits for.
 */
export class LeftDiffs {
  readonly #file: string;
  #written = "[]";

  /** @param folder private, and the same for all companions of this user */
  constructor(folder: string) {
    this.#file = path.join(folder, `${process.pid}-${randomBytes(6).toString("hex")}.json`);
  }

  /** Never throws: where the state cannot be kept, no later companion knows. */
  record(diffs: readonly OpenDiff[]): void {
    const text = JSON.stringify(diffs.map(({ agent, filePath }) => ({ agent, filePath })));
    if (text === this.#written) return;
    this.#written = text;
    try {
      if (diffs.length === 0) return void removeFile(this.#file);
      ensureOwnedFolder(path.dirname(this.#file));
      writePrivateFile(this.#file, text);
    } catch {
      // Its user can still restart the CLI.
    }
  }

  /** The files in these folders whose diffs killed companions of an agent have left, each once. What nobody can wait for any more is removed. */
  findLeft(wanted: string, roots: readonly string[]): ReadonlySet<string> {
    const folder = path.dirname(this.#file);
    const left = namesIn(folder).flatMap((name) => {
      const [, pid] = /^(\d+)-[0-9a-f]+\.json$/.exec(name) ?? [];
      if (pid === undefined || pidIsAlive(Number(pid))) return [];
      const file = path.join(folder, name);
      const diffs = readLeft(file);
      if (diffs === undefined) removeFile(file);
      return (diffs ?? [])
        .filter(({ agent, filePath }) => agent === wanted && rootOf(filePath, roots) !== undefined)
        .map(({ filePath }) => filePath);
    });
    return new Set(left);
  }
}

/** By hand, because no schema is to be loaded at the start. @returns undefined for a record that is old or damaged */
function readLeft(file: string): readonly OpenDiff[] | undefined {
  try {
    if (Date.now() - statSync(file).mtimeMs > longestWait) return undefined;
    const content = tryParseJson(readPrivateFile(file) ?? "");
    if (!Array.isArray(content)) return undefined;
    return content
      .map((one: unknown) => ({ agent: Object(one).agent, filePath: Object(one).filePath }))
      .filter(({ agent, filePath }) => typeof agent === "string" && typeof filePath === "string");
  } catch {
    return []; // another companion has removed it
  }
}
