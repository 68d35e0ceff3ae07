import { existsSync } from "node:fs";
import { isListening } from "../../target/found-companion.ts";
import type { StartedCompanion } from "../../target/started-companion.ts";
import { demand, demandNone, NotRun } from "../../verdict.ts";
import type { CliSession } from "../../wire/cli-session.ts";
import type { Bench, Check } from "../check.ts";

interface Ended {
  readonly companion: StartedCompanion;
  readonly session: CliSession;
  /** Files that it had and that are still there. */
  readonly left: readonly string[];
  readonly inTime: boolean;
}

/** Ends a companion that is busy: a CLI is connected, and a diff is open. */
async function endBusy({ start, wireTo, path, limits, note }: Bench, signal: NodeJS.Signals): Promise<Ended> {
  const companion = await start();
  const session = await wireTo(companion).connect();
  await session.openDiff(path("open-at-the-end.txt"), "proposed\n");
  session.openDiffs.clear(); // nobody will be there to close it
  const files = (await companion.files()).map((file) => file.path);
  const started = performance.now();
  const inTime = await companion.end(signal);
  note(`After ${signal} it took ${Math.round(performance.now() - started)} ms to end.`);
  await session.stream.find(({ end }) => end, limits.quiet);
  return { companion, session, left: files.filter((file) => existsSync(file)), inTime };
}

export const filesRemoved: Check = {
  id: "files-removed",
  title: "at the end its files are gone, though a CLI is connected",
  requirements: ["L2"],
  lane: "process",
  needs: ["command"],
  async run(bench) {
    const { left } = await endBusy(bench, "SIGTERM");
    demandNone(left.map((file) => `after SIGTERM ${file} is still there`));
  },
};

export const serverStops: Check = {
  id: "server-stops",
  title: "at the end nobody listens, and the streams are closed",
  requirements: ["L3"],
  lane: "process",
  needs: ["command"],
  async run(bench) {
    const { companion, session, inTime } = await endBusy(bench, "SIGTERM");
    demand(inTime, `it did not end within ${bench.limits.process / 1000} s after SIGTERM`);
    demand(session.stream.end !== undefined, "the stream of its CLI is still open");
    demand(!(await isListening(companion.target.port)), `port ${companion.target.port} is still listened on`);
  },
};

export const hangUp: Check = {
  id: "hang-up",
  title: "its files are gone when its terminal is closed",
  requirements: ["L4"],
  lane: "process",
  needs: ["command"],
  async run(bench) {
    if (process.platform === "win32") throw new NotRun("there is no SIGHUP on Windows");
    const { left } = await endBusy(bench, "SIGHUP");
    demandNone(left.map((file) => `after SIGHUP ${file} is still there`));
  },
};
