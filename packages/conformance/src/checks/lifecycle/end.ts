import { demand, demandNone, NotRun } from "../../assertions.ts";
import { whyUnknown } from "../../target/ending.ts";
import type { Check } from "../check.ts";

/** @throws NotRun on a system where a companion that did not end proves nothing */
function needAnswer(inTime: boolean): void {
  const reason = inTime ? undefined : whyUnknown(process.platform);
  if (reason !== undefined) throw new NotRun(reason);
}

export const filesRemoved: Check = {
  id: "files-removed",
  title: "at the end its files are removed, even if a CLI is connected",
  requirements: ["L2"],
  lane: "parallel",
  needs: ["command"],
  async run({ parallel }) {
    const { left, inTime } = await parallel.terminated();
    needAnswer(inTime);
    demandNone(left.map((file) => `after SIGTERM ${file} is still there`));
  },
};

export const serverStops: Check = {
  id: "server-stops",
  title: "at the end the port and the streams are closed",
  requirements: ["L3"],
  lane: "parallel",
  needs: ["command"],
  async run({ parallel, limits }) {
    const { inTime, streamEnded, listens, port } = await parallel.terminated();
    needAnswer(inTime);
    demand(inTime, `it did not end within ${limits.process / 1000} s after SIGTERM`);
    demand(streamEnded, "the stream of its CLI is still open");
    demand(!listens, `port ${port} is still open`);
  },
};

export const hangUp: Check = {
  id: "hang-up",
  title: "its files are removed when its terminal is closed",
  requirements: ["L4"],
  lane: "parallel",
  needs: ["command"],
  async run({ parallel }) {
    if (process.platform === "win32") throw new NotRun("there is no SIGHUP on Windows");
    const { left } = await parallel.hungUp();
    demandNone(left.map((file) => `after SIGHUP ${file} is still there`));
  },
};
