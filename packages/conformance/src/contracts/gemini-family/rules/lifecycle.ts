import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { byParallel, demand, demandNone, endFaults, NotRun, needAnswer } from "../../check.ts";
import { recommended, specification } from "../../requirement.ts";
import { folderOf } from "../target/discovery-file.ts";
import type { FamilyGroup } from "./means.ts";

export const lifecycleRules: FamilyGroup = {
  L1: {
    MUST: "The server listens before the discovery files appear.",
    sources: specification("the lifecycle's section", "Start the server, then create the file."),
    check: "server-first",
    ...byParallel,
    async run({ parallel }) {
      const { steps } = await parallel.first();
      const early = steps.filter(({ listens }) => listens === false).map((step) => path.basename(step.path));
      demandNone([...new Set(early)].map((name) => `when ${name} appeared, its port was not open yet`));
    },
    fault: {
      prepare(systemFolders) {
        const folder = folderOf("gemini-file", systemFolders);
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(path.join(folder, "gemini-ide-server-1-1.json"), "{}");
      },
      says: /when gemini-ide-server-1-1\.json appeared, its port was not open yet/,
    },
  },
  L2: {
    MUST: "At the end the discovery files are removed, even if CLIs are connected and diffs are open.",
    sources: [
      specification("the lifecycle's section", "On deactivation, delete the file."),
      recommended("A stop that waits for open streams before it deletes leaves stale files."),
    ],
    check: "files-removed",
    ...byParallel,
    async run({ parallel }) {
      const { left, inTime } = await parallel.terminated();
      needAnswer(inTime);
      demandNone(left.map((file) => `after SIGTERM ${file} is still there`));
    },
    fault: { keepsLock: true, says: /after SIGTERM .* is still there/ },
  },
  L3: {
    MUST: "At the end the server stops: its port is closed, and so are its streams.",
    sources: specification("the lifecycle's section", "On deactivation, stop the server."),
    check: "server-stops",
    ...byParallel,
    async run({ parallel, limits }) {
      const { inTime, streamEnded, listens, port } = await parallel.terminated();
      demandNone(endFaults(inTime, limits));
      demand(streamEnded, "the stream of its CLI is still open");
      demand(!listens, `port ${port} is still open`);
    },
    fault: { stays: true, says: /it did not end within/ },
  },
  L4: {
    SHOULD: "The files are also removed when the terminal is closed (SIGHUP).",
    sources: recommended("Every exit that a program can handle should clean up."),
    check: "hang-up",
    ...byParallel,
    async run({ parallel }) {
      if (process.platform === "win32") throw new NotRun("there is no SIGHUP on Windows");
      const { left } = await parallel.hungUp();
      demandNone(left.map((file) => `after SIGHUP ${file} is still there`));
    },
    fault: { endsBy: ["SIGTERM"], says: /after SIGHUP .* is still there/ },
  },
  L5: {
    SHOULD: "The next start removes the files of a companion that was killed.",
    sources: recommended("A CLI may try a stale file first, or prefer it by its process id."),
    check: "sweep",
    ...byParallel,
    async run({ parallel }) {
      const { notSwept } = await parallel.first();
      demandNone(notSwept.map((file) => `${file} of a dead process is still there`));
    },
    fault: {
      // The companion behind the proxy does not see them.
      says: /of a dead process is still there/,
    },
  },
  L6: {
    MUST: "Files of running processes are left alone, however old they are.",
    sources: recommended("They belong to another companion."),
    check: "living-files",
    ...byParallel,
    async run({ parallel }) {
      const { swept } = await parallel.first();
      demandNone(swept.map((file) => `it has removed ${file}, of a running process that serves that port`));
    },
    fault: {
      // Takes every file that is older than a day for stale.
      prepare(systemFolders) {
        const folder = folderOf("gemini-file", systemFolders);
        for (const name of readdirSync(folder)) {
          const file = path.join(folder, name);
          if (Date.now() - statSync(file).mtimeMs > 86_400_000) rmSync(file);
        }
      },
      says: /it has removed .*, of a running process/,
    },
  },
};
