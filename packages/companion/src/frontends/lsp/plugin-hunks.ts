import { linesAsShown, nextOf } from "../../core/hunks.ts";
import type { Row } from "../protocol/list-messages.ts";
import type { HunksFollower } from "../protocol/written-hunks.ts";
import type {
  DecidedHunks,
  DecideHunks,
  Lines,
  NextHunks,
  NextWritten,
  PlaceHunks,
  WrittenHunks,
} from "../protocol/written-messages.ts";

type Hunk = WrittenHunks["hunks"][number];

/** What agents wrote, in the buffers of a plugin: where it is there, what its user means, and what comes next. */
export class PluginHunks {
  readonly #follower: HunksFollower;
  /** By file, as its buffer has stood last. */
  readonly #placed = new Map<string, readonly Hunk[]>();

  constructor(follower: HunksFollower) {
    this.#follower = follower;
  }

  /** @param paths absolute, of all files that are open now */
  open(paths: readonly string[]): void {
    for (const path of this.#placed.keys()) if (!paths.includes(path)) this.#placed.delete(path);
    this.#follower.open(paths);
  }

  async place(buffer: PlaceHunks): Promise<WrittenHunks> {
    const placed = await this.#follower.place(buffer);
    this.#placed.set(buffer.filePath, placed.hunks);
    return placed;
  }

  /** @throws Error with a sentence */
  async decide({ filePath, content, revision, lines, action }: DecideHunks): Promise<DecidedHunks> {
    const { hunks } = await this.place({ filePath, content });
    const chosen = hunks.filter((hunk) => isIn(hunk, lines));
    const [first] = chosen;
    if (!first) return { line: lines.last };
    const choice = { filePath, revision, ids: chosen.map(({ id }) => id) };
    const decided = await this.#follower.decide(choice, action, action === "revert" ? content : undefined);
    // The next one may begin where this one was.
    return { ...decided, line: Math.min(lines.first, first.line) - 1 };
  }

  async next({ filePath, content, line, by }: NextWritten): Promise<NextHunks> {
    if (content !== undefined) {
      const placed = await this.place({ filePath, content });
      const count = Math.max(1, linesAsShown(content).length);
      const all = placed.hunks.map((hunk) => linesOf(hunk, count));
      const first = nextOf(
        all.map((lines) => lines.first),
        line,
        by,
      );
      const lines = all.find((each) => each.first === first);
      if (lines) return { ...placed, lines };
    }
    const decided = [...this.#placed].filter(([, hunks]) => hunks.length === 0).map(([path]) => path);
    const next = await this.#follower.next(filePath, by, decided);
    if (!next) return { filePath: null, revision: "", hunks: [] };
    const there = (this.#placed.get(next.filePath) ?? next.hunks).at(by > 0 ? 0 : -1);
    return { ...next, ...(there && { lines: linesOf(there) }) };
  }

  /** A row of the list, with its hunks as they are in the buffer of its file. */
  inBuffer(row: Row): Row {
    const placed = this.#placed.get(this.#follower.nameOf(row.filePath));
    if (!placed || !row.hunks) return row;
    const hunks = row.hunks.flatMap((hunk) =>
      placed.filter(({ id }) => id === hunk.id).map(({ line }) => ({ ...hunk, line })),
    );
    return { ...row, hunks };
  }
}

/** Whether a hunk is in some lines; where lines went, the lines around are the place. */
const isIn = ({ line, added }: Hunk, { first, last }: Lines): boolean =>
  added === 0 ? first <= line && last >= line - 1 : first < line + added && last >= line;

/** Where a hunk is to be seen in a buffer of so many lines. */
const linesOf = ({ line, added }: Hunk, count = Number.POSITIVE_INFINITY): Lines => ({
  first: Math.min(line, count),
  last: Math.min(line + Math.max(added, 1) - 1, count),
});
