import path from "node:path";
import { demandNone } from "../../assertions.ts";
import type { Check } from "../check.ts";

export const serverFirst: Check = {
  id: "server-first",
  title: "the server listens before its files appear",
  requirements: ["L1"],
  lane: "parallel",
  needs: ["command"],
  async run({ parallel }) {
    const { steps } = await parallel.first();
    const early = steps.filter(({ listens }) => !listens).map((step) => path.basename(step.path));
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
