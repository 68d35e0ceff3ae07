import { accessSync, constants, lstatSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { Command } from "../../core/written/commands.ts";
import { Content } from "../../core/written/entries.ts";
import { maxTextBytes, type WrittenLog, writtenLimits } from "../../core/written/written-log.ts";
import { toStamp } from "../../files/file-stamp.ts";
import { namesIn } from "../../system/disk.ts";
import type { Host } from "../../system/host.ts";
import { tryParseJson } from "../../system/json.ts";
import { readPrivateFile, removeFile, writePrivateFile } from "../../system/private-file.ts";
import type { Place } from "./place.ts";
import { isSecret } from "./secrets.ts";
import { copyIndex, type Difference, type WorkTree } from "./work-tree.ts";

/** A place, and what it takes to look at it. */
export interface Site extends Place {
  readonly log: WrittenLog;
  readonly host: Host;
  /** Absent outside of git. */
  readonly tree?: WorkTree;
}

/** The files of a work tree at one moment. */
const Snapshot = z.object({
  /** Name of its index: what that has, the disk had. */
  index: z.string(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  finishedAt: z.number(),
  /** By name, the files whose bytes are not kept. */
  withheld: z.record(z.string(), Content),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** Oldest first; none while one is being taken, so that nobody goes by an older one if that fails. */
const State = z.object({ bytes: z.number(), snapshots: z.array(Snapshot) });

/** Bytes of changed files that one snapshot copies. */
const maxCopiedBytes = 64 * 1024 * 1024;

/** Bytes of the longest state that is read. */
const maxStateBytes = 16 * 1024 * 1024;

/** A new snapshot, those before it, and what has changed since the last of them. */
export interface Taken {
  readonly before: readonly Snapshot[];
  readonly now: Snapshot;
  readonly bytes: number;
  /** Since the last snapshot; where there is none, since the user's index was written. */
  readonly differences: ReadonlyMap<string, Difference>;
}

/** @param running commands that are compared later @throws Error; there is no snapshot any more then */
export async function takeSnapshot(
  { own, top, host }: Site,
  tree: WorkTree,
  running: readonly Command[],
): Promise<Taken> {
  const state = readState(own);
  writePrivateFile(path.join(own, "state.json"), JSON.stringify({ bytes: state.bytes, snapshots: [] }));
  const isFull = state.bytes > writtenLimits.bytes && running.length === 0;
  const before = isFull ? [] : state.snapshots;
  const last = before.at(-1);
  const startedAt = Date.now();
  const index = path.join(own, `index-${startedAt}`);
  if (last) copyIndex(path.join(own, last.index), index);
  else await tree.begin(index);
  const differences = await tree.differences(index);
  const [names, gone, withheld]: [string[], string[], Record<string, Content>] = [[], [], {}];
  let copied = 0;
  for (const [name, { isGone }] of differences) {
    const file = path.join(top, name);
    const stat = isGone ? undefined : lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) gone.push(name);
    else {
      const why = !(stat.isFile() && isReadable(file))
        ? "no-file"
        : stat.size > maxTextBytes
          ? "large"
          : copied + Number(stat.size) > maxCopiedBytes
            ? "no-room"
            : (await isSecret(file, top, host))
              ? "secret"
              : undefined;
      if (why) withheld[name] = { withheld: why, stamp: toStamp(stat) };
      else names.push(name);
      if (!why) copied += Number(stat.size);
    }
  }
  await tree.add(index, names, gone);
  const now = { index: path.basename(index), startedAt, finishedAt: Date.now(), withheld };
  return { before, now, bytes: copied + (last ? state.bytes : 0), differences };
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function readState(own: string): z.infer<typeof State> {
  const text = readPrivateFile(path.join(own, "state.json"), { maxBytes: maxStateBytes });
  const { data } = State.safeParse(text === undefined ? undefined : tryParseJson(text));
  return data ?? { bytes: 0, snapshots: [] };
}

/** With the snapshots after which commands have begun that run still, or may just have begun. */
export function saveSnapshots(own: string, { before, now, bytes }: Taken, running: readonly Command[]): void {
  const bases = running.map(({ start }) => before.findLast(({ finishedAt }) => finishedAt <= start.at));
  const snapshots = [...before.filter((each) => bases.includes(each) || each === before.at(-1)), now];
  writePrivateFile(path.join(own, "state.json"), JSON.stringify({ bytes, snapshots }));
  const kept = snapshots.map(({ index }) => index);
  for (const name of namesIn(own))
    if (name.startsWith("index-") && !kept.includes(name)) removeFile(path.join(own, name));
}
