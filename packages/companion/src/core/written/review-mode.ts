import path from "node:path";
import { hashOf } from "../../files/text-hash.ts";
import { toRealPath } from "../../files/workspace-path.ts";
import { foldersUpwards, namesIn } from "../../system/disk.ts";
import { type Host, stateFolder } from "../../system/host.ts";
import { isObject, tryParseJson } from "../../system/json.ts";
import { ensureOwnedFolder, readPrivateFile, writePrivateFile } from "../../system/private-file.ts";

/** When a user looks at what an agent writes: before or after it is in the file, or nothing is recorded. */
export const reviewModes = ["before", "after", "off"] as const;
export type ReviewMode = (typeof reviewModes)[number];

/** What counts where nobody has said anything. */
const usual: ReviewMode = "after";

/** What a user has said for a folder and those below it. */
interface Said {
  /** By agents' names, and `all` for the others. */
  readonly modes: Readonly<Record<string, ReviewMode>>;
  readonly always: readonly string[];
}

/** With the absolute path of that folder. */
type SaidFor = Said & { readonly of: string };

/** Files that the user is always asked about. */
export interface AlwaysAsked {
  /** As in a `.gitignore` of the folder. */
  readonly patterns: readonly string[];
  /** Absolute path of the folder for which they were said. */
  readonly of: string;
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

  /** What counts in a folder, read once for all agents. @param folder absolute path */
  in(folder: string) {
    const said = [...this.#saidFor(folder)];
    return {
      /** What counts for an agent, and the folder for which it was said; absent where nobody has. */
      find(agent: string) {
        for (const { of, modes } of said) {
          const mode = modes[agent] ?? modes.all;
          if (mode !== undefined) return { mode, of };
        }
        return { mode: usual };
      },
      /** Which files the user is asked about, whatever the mode is. */
      always: said.flatMap(({ of, always: patterns }): readonly AlwaysAsked[] =>
        patterns.length > 0 ? [{ of, patterns }] : [],
      ),
    };
  }

  /**
   * @param agents their names; none for all agents, also those that something else was said for
   * @throws Error of the file system, or FolderError when the state folder is not ours alone
   */
  set(folder: string, mode: ReviewMode, agents: readonly string[] = []): void {
    this.#write(folder, ({ modes, always }) => {
      const said = Object.fromEntries((agents.length > 0 ? agents : ["all"]).map((name) => [name, mode]));
      return { modes: agents.length > 0 ? { ...modes, ...said } : said, always };
    });
  }

  /** @param change gets the patterns that were said for this folder @throws as `set` */
  setAlways(folder: string, change: (patterns: readonly string[]) => readonly string[]): void {
    this.#write(folder, ({ modes, always }) => ({ modes, always: change(always) }));
  }

  /** The nearest folder first. */
  *#saidFor(folder: string): Generator<SaidFor> {
    const names = namesIn(this.folder);
    if (names.length === 0) return;
    for (const of of foldersUpwards(toRealPath(folder)))
      if (names.includes(nameOf(of))) yield { of, ...this.#read(of) };
  }

  #read(of: string): Said {
    const said = tryParseJson(readPrivateFile(path.join(this.folder, nameOf(of))) ?? "{}");
    const { always, ...others } = isObject(said) ? said : {};
    const modes = Object.entries(others).flatMap(([name, value]) =>
      reviewModes.flatMap((mode) => (mode === value ? [[name, mode] as const] : [])),
    );
    const patterns = Array.isArray(always) ? always.filter((one) => typeof one === "string") : [];
    return { modes: Object.fromEntries(modes), always: patterns };
  }

  #write(folder: string, change: (said: Said) => Said): void {
    const of = toRealPath(folder);
    const { modes, always } = change(this.#read(of));
    ensureOwnedFolder(this.folder);
    writePrivateFile(path.join(this.folder, nameOf(of)), JSON.stringify({ ...modes, always }));
  }
}

const nameOf = (of: string) => `${hashOf(of).slice(0, 32)}.json`;
