import path from "node:path";
import { demandNone } from "../../assertions.ts";
import type { Check } from "../check.ts";

export const serverFirst: Check = {
  id: "server-first",
  title: "the server listens before its files appear",
  requirements: ["L1"],
  lane: "neighbours",
  needs: ["command"],
  async run({ neighbours }) {
    const { steps } = await neighbours.first();
    const early = steps.filter(({ listens }) => !listens).map((step) => path.basename(step.path));
    demandNone([...new Set(early)].map((name) => `when ${name} appeared, nobody listened yet`));
  },
};

export const sweep: Check = {
  id: "sweep",
  title: "what a dead companion has left is swept away by the next start",
  requirements: ["L5"],
  lane: "neighbours",
  needs: ["command"],
  async run({ neighbours }) {
    const { notSwept } = await neighbours.first();
    demandNone(notSwept.map((file) => `${file} of a dead process is still there`));
  },
};

export const livingFiles: Check = {
  id: "living-files",
  title: "files of processes that live are left alone, however old",
  requirements: ["L6"],
  lane: "neighbours",
  needs: ["command"],
  async run({ neighbours }) {
    const { swept } = await neighbours.first();
    demandNone(swept.map((file) => `it has removed ${file}, of a process that lives and serves that port`));
  },
};
