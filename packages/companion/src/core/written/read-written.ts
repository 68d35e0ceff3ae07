import { type BigIntStats, readFileSync, statSync } from "node:fs";
import { toStamp } from "../../files/file-stamp.ts";
import { holdsAccepted } from "./accepted.ts";
import { type Command, commandsIn, ranAt } from "./commands.ts";
import { type Content, contentAfter, type LogEntry, readDay, type Settled, unseen } from "./entries.ts";
import { addOwn, addWriting, type Layers, type Writing } from "./layers.ts";
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
  /** The shell commands of agents. */
  readonly commands: readonly Command[];
}

/** What an agent is about to write. */
interface Pending {
  readonly turn: string;
  readonly at: number;
  readonly content: Content;
  /** What the user has saved since then. */
  readonly saved?: Content;
}

/** What was said of a file. */
interface Said {
  layers: Layers;
  /** An agent was about to write it, and nobody has called us since. */
  pending?: Pending | undefined;
  /** By which that is known which the user has accepted, and the agent is about to write. */
  accepted?: string | undefined;
}

/** Milliseconds after the call within which an agent has written a file, when nobody calls us afterwards. */
const writingTime = 60_000;

/** Milliseconds after a command within which its files are compared, if nothing goes wrong. */
const comparingTime = 60_000;

export function readWritten(log: WrittenLog, texts: Texts): Read {
  const turns = new Turns();
  const files = new Map<string, Said>();
  const settled: Settled[] = [];
  const entries = log.days.flatMap(readDay);
  const commands = commandsIn(entries);
  const saved = entries.filter((entry) => entry.kind === "saved");
  const began = new Map<Command, Turn>();
  for (const entry of entries) {
    if (entry.kind === "command-files") continue;
    if (entry.kind === "settled") {
      const { pending } = files.get(entry.path) ?? {};
      const content = contentAfter(entry);
      files.set(entry.path, { layers: entry.layers, pending: pending && content && { ...pending, content } });
      settled.push(entry);
      continue;
    }
    if (entry.kind === "accepted") {
      files.set(entry.path, { ...(files.get(entry.path) ?? { layers: [] }), accepted: entry.hash });
      continue;
    }
    if (entry.kind === "saved") {
      const file = files.get(entry.path);
      if (file?.pending) file.pending = { ...file.pending, saved: entry.content };
      else if (file) file.layers = addOwn(file.layers, entry.content, texts);
      continue;
    }
    const command = commands.get(entry);
    // A command is of the turn in which it began.
    const turn = (command && began.get(command)) ?? turns.of(entry);
    if (command) began.set(command, turn);
    if (entry.kind === "turn-end" || entry.kind === "session-end") turn.endedAt = entry.at;
    if (command && isBeingCompared(command)) turn.isIncomplete = true;
    const { before = [], after = [] } = filesOf(entry, command, saved);
    for (const [path, content] of before) {
      const file = files.get(path) ?? { layers: [] };
      files.set(path, file);
      settlePending(file, content, texts);
      file.pending = { turn: turn.id, at: entry.at, content };
    }
    for (const [path, content] of after) {
      const file = files.get(path) ?? { layers: [] };
      files.set(path, file);
      addWritten(file, turn.id, { before: baseOf(file.pending, content), after: content }, texts);
      file.pending = undefined;
    }
  }
  const open = [...files].flatMap(([path, file]): [string, Layers][] => {
    if (file.layers.length === 0 && file.pending === undefined) return [];
    const now = lookNow(path, file.layers.at(-1)?.after ?? file.pending?.content, texts);
    settlePending(file, now, texts);
    const layers = addOwn(file.layers, now, texts);
    return layers.length > 0 ? [[path, layers]] : [];
  });
  return { turns: turns.all, files: new Map(open), settled, commands: [...commands.values()] };
}

/** By path, when the first turn began whose change of a file is to be looked at. Reads no text. */
export function openSince({ files, turns }: Read): ReadonlyMap<string, number> {
  const found = [...files].flatMap(([path, layers]): [string, number][] => {
    const began = layers.flatMap(({ turn }) => turns.get(turn)?.startedAt ?? []);
    return began.length > 0 ? [[path, Math.min(...began)]] : [];
  });
  return new Map(found);
}

type Contents = readonly (readonly [string, Content])[];

type Saved = LogEntry & { readonly kind: "saved" };

/** What an entry says of files, before an agent writes them and after. */
function filesOf(
  entry: LogEntry,
  command: Command | undefined,
  saved: readonly Saved[],
): { readonly before?: Contents; readonly after?: Contents } {
  if (entry.kind === "before") return { before: Object.entries(entry.files) };
  if (entry.kind === "after") return { after: Object.entries(entry.files) };
  if (entry.kind !== "command-start" && entry.kind !== "command-end") return {};
  const isUnseen = command?.endedAt !== undefined && !isBeingCompared(command);
  // What the user has saved while the command ran, and nobody has written since.
  const isOwn = (path: string, after: Content) =>
    saved.some(
      ({ path: file, content }) =>
        file === path && isSame(content, after) && command && ranAt(command, writtenAt(content)),
    );
  const files = Object.entries(command?.files ?? (isUnseen ? { [entry.folder]: unseen } : {})).filter(
    ([path, { after }]) => !isOwn(path, after),
  );
  if (entry.kind === "command-end") return { after: files.map(([path, { after }]) => [path, after]) };
  return { before: files.flatMap(([path, { before }]) => (before ? [[path, before] as const] : [])) };
}

const writtenAt = (content: Content): number => ("written" in content ? (content.written ?? 0) : 0);

const isBeingCompared = ({ endedAt, files }: Command): boolean =>
  endedAt !== undefined && !files && Date.now() - endedAt < comparingTime;

/** Whose the change is since an agent was about to write: the agent's, if it happened at once. */
function settlePending(file: Said, now: Content, texts: Texts): void {
  const { pending } = file;
  file.pending = undefined;
  if (pending === undefined || isSame(pending.content, now)) return;
  const late = "written" in now && now.written !== undefined ? now.written - pending.at : 0;
  if (late >= -1000 && late < writingTime)
    addWritten(file, pending.turn, { before: baseOf(pending, now), after: now }, texts);
}

/** What an agent has changed: what the user has saved meanwhile, unless nobody has written the file since. */
const baseOf = (pending: Pending | undefined, after: Content): Content | undefined =>
  pending?.saved && !isSame(pending.saved, after) ? pending.saved : pending?.content;

/** What the user has accepted is nobody's to look at: it counts as if the user had written it. */
function addWritten(file: Said, turn: string, writing: Writing, texts: Texts): void {
  const { before, after } = writing;
  const bytes = file.accepted === undefined ? undefined : texts.read(after);
  // Of a deletion the user has accepted an empty text.
  const isAccepted = bytes !== undefined && holdsAccepted(bytes ?? "", file.accepted ?? "");
  file.accepted = undefined;
  if (!isAccepted) file.layers = addWriting(file.layers, turn, writing, texts);
  else for (const own of before ? [before, after] : [after]) file.layers = addOwn(file.layers, own, texts);
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
