import { type Command, commandsIn } from "../../core/written/commands.ts";
import {
  type CommandFile,
  type Content,
  contentAfter,
  type LogEntry,
  unknown,
} from "../../core/written/entries.ts";
import { isSame } from "../../core/written/texts.ts";

/** A file as somebody has found it. */
interface Sighting {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly content: Content;
  /** The agent's whose hook has looked; absent where its user has saved it so, or has decided about it. */
  readonly session?: string;
}

/** What a log says of the contents of files, by absolute path and time. */
export class Sightings {
  readonly #files = new Map<string, Sighting[]>();

  constructor(entries: readonly LogEntry[]) {
    for (const entry of entries) {
      const { at } = entry;
      const content = entry.kind === "settled" ? contentAfter(entry) : undefined;
      if (entry.kind === "settled" && content) this.#put(entry.path, { at, content });
      if (entry.kind === "saved") this.#put(entry.path, { at, content: entry.content });
      if (entry.kind === "before" || entry.kind === "after")
        for (const [path, found] of Object.entries(entry.files))
          this.#put(path, { at, content: found, session: entry.session });
    }
    for (const command of new Set(commandsIn(entries).values()))
      if (command.files) this.add(command, command.files);
  }

  /** What a command has found and left. */
  add({ start, endedAt }: Command, files: Readonly<Record<string, CommandFile>>): void {
    for (const [path, { before, after }] of Object.entries(files)) {
      const { session } = start;
      if (before && !isSame(before, unknown)) this.#put(path, { at: start.at, content: before, session });
      if (endedAt !== undefined) this.#put(path, { at: endedAt, content: after, session });
    }
  }

  /** The last one in a time. */
  last(path: string, from: number, to: number): Content | undefined {
    return this.#within(path, from, to).at(-1)?.content;
  }

  /** The first one from a time on. */
  first(path: string, from: number): Sighting | undefined {
    return this.#within(path, from)[0];
  }

  /** The files that a session has written. */
  of(session: string): readonly string[] {
    return [...this.#files].flatMap(([path, all]) =>
      all.some((each) => each.session === session) ? [path] : [],
    );
  }

  #within(path: string, from: number, to = Number.POSITIVE_INFINITY): readonly Sighting[] {
    const found = this.#files.get(path)?.filter(({ at }) => at >= from && at <= to) ?? [];
    return found.toSorted((one, other) => one.at - other.at);
  }

  #put(path: string, sighting: Sighting): void {
    const all = this.#files.get(path) ?? [];
    this.#files.set(path, all);
    all.push(sighting);
  }
}
