import { existsSync, lstatSync, type Stats } from "node:fs";
import path from "node:path";
import { type Command, ranAt } from "../../core/written/commands.ts";
import { type CommandFile, type Content, unknown, unseen } from "../../core/written/entries.ts";
import { lookInto } from "../../core/written/look-into.ts";
import { isSame } from "../../core/written/texts.ts";
import { toStamp } from "../../files/file-stamp.ts";
import { isSecret } from "./secrets.ts";
import type { Sightings } from "./sightings.ts";
import type { Site, Snapshot, Taken } from "./snapshot.ts";
import type { Difference } from "./work-tree.ts";

interface Known {
  readonly site: Site;
  readonly seen: Sightings;
  /** What the disk had before the command; undefined where nobody knows. */
  readonly base: Snapshot | undefined;
  /** Absent outside of git. */
  readonly taken: Taken | undefined;
}

type Files = Readonly<Record<string, CommandFile>>;

/** What a command that has ended has made of files, by absolute path. What others did before and after is not its doing. */
export async function compareFiles(command: Command, known: Known): Promise<Files> {
  const { site, seen, base, taken } = known;
  const differences = await differencesOf(command, known);
  if (command.endedAt === undefined) return compareLost(command, differences, known);
  const changed = new Map<string, Content>();
  const others: string[] = [];
  for (const [name, { isGone }] of differences) {
    const after = await contentAfter(command, name, isGone, known);
    if (after) changed.set(name, after);
    else if (!isGone) others.push(name);
  }
  const moved = taken && base ? await movedAmong(others, [...changed.keys()], differences, known) : [];
  for (const name of moved) changed.set(name, await lookNow(name, site));
  // Without a snapshot nobody knows what others have written between a sighting and the command.
  const since = base?.startedAt ?? (taken ? command.start.at : 0);
  const befores = base ? await contentsBefore([...changed.keys()], differences, known) : undefined;
  const found = [...changed].flatMap(([name, after]): [string, CommandFile][] => {
    const file = path.join(site.top, name);
    const before = seen.last(file, since, command.start.at) ?? befores?.get(name) ?? (taken && unknown);
    if (before && isSame(before, after)) return [];
    return [[file, { after, ...(before && { before }) }]];
  });
  return Object.fromEntries(found);
}

/** The files that may have changed since before a command; outside of git those that its session has written. */
async function differencesOf(
  { start }: Command,
  { site, seen, base, taken }: Known,
): Promise<ReadonlyMap<string, Difference>> {
  const { top, own, tree } = site;
  if (taken === undefined || tree === undefined)
    return new Map(
      seen.of(start.session).map((file) => [path.relative(top, file), { isGone: !existsSync(file) }]),
    );
  const isLast = base === undefined || base === taken.before.at(-1);
  const found = new Map(isLast ? taken.differences : await tree.differences(path.join(own, base.index)));
  for (const name of Object.keys(base?.withheld ?? {}))
    if (!found.has(name)) found.set(name, { isGone: !existsSync(path.join(top, name)) });
  return found;
}

/** What a command has left of a file; undefined where the change is not its doing. */
async function contentAfter(
  command: Command,
  name: string,
  isGone: boolean,
  { site, seen }: Known,
): Promise<Content | undefined> {
  const file = path.join(site.top, name);
  const next = seen.first(file, command.endedAt ?? 0);
  if (next) {
    const { content, session } = next;
    if (session === undefined) return undefined;
    return !("written" in content && content.written !== undefined) || ranAt(command, content.written)
      ? content
      : undefined;
  }
  // Only the folder that it lay in says when a file went.
  if (isGone) return ranAt(command, changeTime(path.dirname(file))) ? { text: null } : undefined;
  return ranAt(command, statOf(file)?.ctimeMs ?? 0) ? lookNow(name, site) : undefined;
}

/** A session has gone on without a word of a command's end: was there one, and what has it changed? Nobody knows. */
function compareLost({ start }: Command, differences: ReadonlyMap<string, Difference>, known: Known): Files {
  const { top } = known.site;
  const isSince = ([name, { isGone }]: [string, Difference]) => {
    const file = path.join(top, name);
    const time = isGone ? changeTime(path.dirname(file)) : (statOf(file)?.ctimeMs ?? 0);
    return time >= start.at && known.seen.first(file, start.at) === undefined;
  };
  return [...differences].some(isSince) ? { [top]: unseen } : {};
}

/** Of files that are new: those that were moved with their folder, which leaves their own time as it was. */
async function movedAmong(
  fresh: readonly string[],
  changed: readonly string[],
  differences: ReadonlyMap<string, Difference>,
  { site: { own, tree }, base, taken }: Known,
): Promise<readonly string[]> {
  const gone = changed.filter((name) => differences.get(name)?.isGone);
  if (!tree || !base || !taken || gone.length === 0 || fresh.length === 0) return [];
  const former = await tree.entriesOf(path.join(own, base.index), gone);
  const now = await tree.entriesOf(path.join(own, taken.now.index), fresh);
  const identities = new Set([...former.values()].flatMap(({ identity }) => identity ?? []));
  return fresh.filter((name) => {
    const identity = now.get(name)?.identity;
    return identity !== undefined && identities.has(identity);
  });
}

/** What a snapshot has of files, kept in the log. */
async function contentsBefore(
  names: readonly string[],
  differences: ReadonlyMap<string, Difference>,
  { site: { log, own, tree }, base }: Known,
): Promise<ReadonlyMap<string, Content>> {
  const found = new Map<string, Content>();
  if (!tree || !base) return found;
  const blobs = new Map<string, { readonly blob: string; readonly size: number }>();
  const sizes = await tree.entriesOf(path.join(own, base.index), names);
  for (const name of names) {
    const [withheld, entry] = [base.withheld[name], differences.get(name)?.entry];
    if (withheld) found.set(name, withheld);
    else if (entry === undefined) found.set(name, { text: null });
    else if (entry.mode === 0o120000) found.set(name, { withheld: "no-file", stamp: entry.blob });
    else blobs.set(name, { blob: entry.blob, size: sizes.get(name)?.size ?? 0 });
  }
  const bytes = await tree.bytesOf(blobs);
  for (const [name] of blobs) {
    const mode = (differences.get(name)?.entry?.mode ?? 0) & 0o777;
    const text = bytes.get(name);
    if (text) found.set(name, { text: log.keep(text), mode });
  }
  return found;
}

async function lookNow(name: string, { top, log, host }: Site): Promise<Content> {
  const file = path.join(top, name);
  const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  // A link may lead anywhere.
  if (stat?.isSymbolicLink()) return { withheld: "no-file", stamp: toStamp(stat) };
  return lookInto(file, log, () => isSecret(file, top, host));
}

function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // below what is no folder any more
  }
}

/** When what lies in a folder has changed, or in the nearest one above that is left. */
function changeTime(folder: string): number {
  const stat = statOf(folder);
  return stat || path.dirname(folder) === folder ? (stat?.ctimeMs ?? 0) : changeTime(path.dirname(folder));
}
