import { existsSync } from "node:fs";
import path from "node:path";
import { type Command, commandsIn } from "../../core/written/commands.ts";
import { readDay, unseen } from "../../core/written/entries.ts";
import { WrittenLog } from "../../core/written/written-log.ts";
import { type Host, writtenFolder } from "../../system/host.ts";
import { tryLock } from "../../system/lock-file.ts";
import { removeFile } from "../../system/private-file.ts";
import { compareFiles } from "./compare-files.ts";
import { placeOf, requestIn } from "./place.ts";
import { Sightings } from "./sightings.ts";
import { type Site, saveSnapshots, takeSnapshot } from "./snapshot.ts";
import { WorkTree } from "./work-tree.ts";

/**
 * Takes a snapshot of the work tree of a folder, if somebody has requested it, and writes down what the commands that
 * have ended there have changed. One process at a time does so, also for requests that come meanwhile.
 * @param folder absolute path
 */
export async function takeSnapshots(folder: string, host: Host): Promise<void> {
  const log = new WrittenLog(writtenFolder(host));
  const place = await placeOf(folder, log);
  const site = { ...place, log, host, ...(place.isGit && { tree: new WorkTree(place.top, place.own) }) };
  const [request, lock] = [requestIn(place), path.join(place.own, "lock")];
  // Once more where a killed process has left its own.
  while (existsSync(request) && (tryLock(lock) || tryLock(lock))) {
    try {
      while (existsSync(request) && removeFile(request)) await compare(site);
    } finally {
      removeFile(lock);
    }
  }
}

async function compare(site: Site): Promise<void> {
  const { log, top, own, tree } = site;
  const entries = log.days.slice(-2).flatMap(readDay);
  const here: Command[] = [];
  for (const command of new Set(commandsIn(entries).values()))
    if (!command.files && (await placeOf(command.start.folder, log)).own === own) here.push(command);
  const hasEnded = ({ endedAt, lostAt }: Command) => (endedAt ?? lostAt) !== undefined;
  const [ended, running] = [here.filter(hasEnded), here.filter((command) => !hasEnded(command))];
  const seen = new Sightings(entries);
  try {
    const taken = tree && (await takeSnapshot(site, tree, running));
    for (const command of ended) {
      const base = taken?.before.findLast(({ finishedAt }) => finishedAt <= command.start.at);
      const files = await compareFiles(command, { site, seen, base, taken });
      finish(log, command, files);
      seen.add(command, files);
    }
    if (taken) saveSnapshots(own, taken, running);
  } catch (error) {
    for (const command of ended) finish(log, command, { [top]: unseen });
    throw error;
  }
}

function finish(log: WrittenLog, { start, endedAt, lostAt }: Command, files: NonNullable<Command["files"]>) {
  const { agent, session, turn, command, folder } = start;
  const head = { at: Date.now(), agent, session, ...(turn !== undefined && { turn }), command };
  if (endedAt === undefined) log.append({ ...head, at: lostAt ?? head.at, kind: "command-end", folder });
  log.append({ ...head, kind: "command-files", startedAt: start.at, files });
}
