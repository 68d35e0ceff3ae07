import path from "node:path";
import { demand, demandNone, endFaults, NotRun, needAnswer } from "../../check.ts";
import type { Check } from "./means.ts";

export const serverFirst: Check = {
  id: "server-first",
  title: "the server listens before its files appear",
  requirements: ["L1"],
  lane: "parallel",
  needs: ["command"],
  async run({ parallel }) {
    const { steps } = await parallel.first();
    const early = steps.filter(({ listens }) => listens === false).map((step) => path.basename(step.path));
    demandNone([...new Set(early)].map((name) => `when ${name} appeared, its port was not open yet`));
  },
};

export const sweep: Check = {
  id: "sweep",
  title: "the next start removes the files of a dead companion",
  requirements: ["L5"],
  lane: "parallel",
  needs: ["command"],
  async run({ parallel }) {
    const { notSwept } = await parallel.first();
    demandNone(notSwept.map((file) => `${file} of a dead process is still there`));
  },
};

export const livingFiles: Check = {
  id: "living-files",
  title: "files of running processes are left alone, however old",
  requirements: ["L6"],
  lane: "parallel",
  needs: ["command"],
  async run({ parallel }) {
    const { swept } = await parallel.first();
    demandNone(swept.map((file) => `it has removed ${file}, of a running process that serves that port`));
  },
};

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
    demandNone(endFaults(inTime, limits));
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
