import { type BigIntStats, readFileSync, statSync } from "node:fs";
import { toStamp } from "../../files/file-stamp.ts";
import { type Content, daysIn, readDay, type Settled } from "./entries.ts";
import { addOwn, addWriting, type Layers } from "./layers.ts";
import { isSame, type Texts } from "./texts.ts";
import { type Turn, Turns } from "./turns.ts";
import { maxTextBytes, type WrittenLog } from "./written-log.ts";

/** What the log says, and the disk now. */
export interface Read {
  readonly turns: ReadonlyMap<string, Turn>;
  /** By absolute path; only files with something to look at. */
  readonly files: ReadonlyMap<string, Layers>;
  /** What the user has decided, oldest first. */
  readonly settled: readonly Settled[];
}

/** What was said of a file. */
interface Said {
  layers: Layers;
  /** An agent was about to write it, and nobody has called us since. */
  pending?: { readonly turn: string; readonly at: number; readonly content: Content } | undefined;
}

/** Milliseconds after the call within which an agent has written a file, when nobody calls us afterwards. */
const writingTime = 60_000;

export function readWritten(log: WrittenLog, texts: Texts): Read {
  const turns = new Turns();
  const files = new Map<string, Said>();
  const settled: Settled[] = [];
  for (const entry of daysIn(log.folder).flatMap(readDay)) {
    if (entry.kind === "settled") {
      files.set(entry.path, { layers: entry.layers });
      settled.push(entry);
      continue;
    }
    const turn = turns.of(entry);
    if (entry.kind === "turn-end" || entry.kind === "session-end") turn.endedAt = entry.at;
    if (entry.kind !== "before" && entry.kind !== "after") continue;
    for (const [path, content] of Object.entries(entry.files)) {
      const file = files.get(path) ?? { layers: [] };
      files.set(path, file);
      if (entry.kind === "after") {
        const before = file.pending?.content;
        file.layers = addWriting(file.layers, turn.id, { before, after: content }, texts);
        file.pending = undefined;
      } else {
        settlePending(file, content, texts);
        file.pending = { turn: turn.id, at: entry.at, content };
      }
    }
  }
  const open = [...files].flatMap(([path, file]): [string, Layers][] => {
    if (file.layers.length === 0 && file.pending === undefined) return [];
    const now = lookNow(path, file.layers.at(-1)?.after ?? file.pending?.content, texts);
    settlePending(file, now, texts);
    const layers = addOwn(file.layers, now, texts);
    return layers.length > 0 ? [[path, layers]] : [];
  });
  return { turns: turns.all, files: new Map(open), settled };
}

/** Whose the change is since an agent was about to write: the agent's, if it happened at once. */
function settlePending(file: Said, now: Content, texts: Texts): void {
  const { pending } = file;
  file.pending = undefined;
  if (pending === undefined || isSame(pending.content, now)) return;
  const late = "written" in now && now.written !== undefined ? now.written - pending.at : 0;
  if (late >= -1000 && late < writingTime)
    file.layers = addWriting(file.layers, pending.turn, { before: pending.content, after: now }, texts);
}

/** What a file holds at this moment; of one whose bytes are not kept, whether it has changed. */
export function lookNow(path: string, like: Content | undefined, texts: Texts): Content {
  try {
    const stat: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return { text: null };
    const stamp = toStamp(stat);
    if (like && "withheld" in like) return { withheld: like.withheld, stamp };
    if (!stat.isFile()) return { withheld: "no-file", stamp };
    if (stat.size > maxTextBytes) return { withheld: "large", stamp };
    const facts: Content = { text: null, mode: Number(stat.mode & 0o7777n) };
    return { ...texts.add(readFileSync(path, "latin1"), facts), written: Number(stat.mtimeMs) };
  } catch {
    return { withheld: "no-file", stamp: "" };
  }
}
