import path from "node:path";
import { hashOf } from "../../files/text-hash.ts";
import { toRealPath } from "../../files/workspace-path.ts";
import { type Host, stateFolder } from "../../system/host.ts";
import { isObject, tryParseJson } from "../../system/json.ts";
import { namesIn } from "../../system/names-in.ts";
import { ensureOwnedFolder, readPrivateFile, writePrivateFile } from "../../system/private-file.ts";

/** When a user looks at what an agent writes: before or after it is in the file, or nothing is recorded. */
export const reviewModes = ["before", "after", "off"] as const;
export type ReviewMode = (typeof reviewModes)[number];

/** What counts where nobody has said anything. */
const usual: ReviewMode = "after";

/** What a user has said for a folder and those below it: by agents' names, and `all` for the others. */
type Said = Readonly<Record<string, ReviewMode>>;

/** What counts for an agent in a folder, and the folder for which it was said; absent where nobody has. */
export interface ReviewModeFound {
  readonly mode: ReviewMode;
  readonly of?: string;
}

/**
 * The review modes of a user's folders: a private file for each that one was said for. The nearest folder counts.
 * A hook reads them: without a library, and at the cost of one look where nothing was ever said.
 */
export class ReviewModes {
  /** Absolute path. */
  readonly folder: string;

  constructor(host: Host) {
    this.folder = path.join(stateFolder(host), "review");
  }

  /** @param folder absolute path */
  find(folder: string, agent: string): ReviewModeFound {
    const names = namesIn(this.folder);
    if (names.length === 0) return { mode: usual };
    for (let of = toRealPath(folder); ; of = path.dirname(of)) {
      const said = names.includes(nameOf(of)) ? this.#read(of) : {};
      const mode = said[agent] ?? said.all;
      if (mode !== undefined) return { mode, of };
      if (path.dirname(of) === of) return { mode: usual };
    }
  }

  /**
   * @param agents their names; none for all agents, also those that something else was said for
   * @throws Error of the file system, or FolderError when the state folder is not ours alone
   */
  set(folder: string, mode: ReviewMode, agents: readonly string[] = []): void {
    const of = toRealPath(folder);
    const said = Object.fromEntries((agents.length > 0 ? agents : ["all"]).map((name) => [name, mode]));
    ensureOwnedFolder(this.folder);
    writePrivateFile(
      path.join(this.folder, nameOf(of)),
      JSON.stringify(agents.length > 0 ? { ...this.#read(of), ...said } : said),
    );
  }

  #read(of: string): Said {
    const said = tryParseJson(readPrivateFile(path.join(this.folder, nameOf(of))) ?? "{}");
    if (!isObject(said)) return {};
    return Object.fromEntries(
      Object.entries(said).flatMap(([name, value]) =>
        reviewModes.flatMap((mode) => (mode === value ? [[name, mode] as const] : [])),
      ),
    );
  }
}

const nameOf = (of: string) => `${hashOf(of).slice(0, 32)}.json`;
