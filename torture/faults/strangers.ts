import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { agents } from "../../packages/companion/src/agents/agents.ts";
import { findCompanions } from "../../packages/companion/src/client/find-companions.ts";
import { startIdleProcess } from "../harness/idle-process.ts";
import { demand, discoveryFiles, startCompanion } from "./companion-process.ts";
import type { Fault } from "./fault.ts";

/** Processes that have got the number of a dead companion. */
export const strangerFaults: readonly Fault[] = [
  {
    sentence: "a stranger that has got the process id of a killed companion keeps its files for nobody",
    async run(fixture) {
      const companion = await startCompanion(fixture);
      companion.child.kill("SIGKILL");
      await companion.end;
      const stranger = startIdleProcess(fixture.sandbox);
      const forged = discoveryFiles(fixture).map((file) =>
        driverOver(file, companion.pid, stranger.pid ?? 0),
      );
      demand(forged.length === 5, "there are files of the dead");

      const { host } = fixture.sandbox;
      const before = await findCompanions(host, agents);
      demand(
        before.every(({ result }) => result === "stale"),
        "the client is not led astray",
      );

      const next = await startCompanion(fixture);
      demand(
        forged.every((file) => !existsSync(file)),
        `they are gone: ${forged.filter((file) => existsSync(file))}`,
      );
      const after = await findCompanions(host, agents);
      demand(
        after.length === 5 &&
          after.every((found) => found.result === "live" && found.content.port === next.port),
        "only the live one is found",
      );
    },
  },
  {
    sentence: "a companion that stands still is no dead one: its files stay",
    async run(fixture) {
      const companion = await startCompanion(fixture);
      const files = discoveryFiles(fixture);
      if (process.platform !== "win32") companion.child.kill("SIGSTOP");
      await startCompanion(fixture);
      demand(
        files.every((file) => existsSync(file)),
        "the second one has swept the first one's files",
      );
    },
  },
];

/** What a file would be if the system had given its process id to somebody else. @returns where it is */
function driverOver(file: string, from: number, to: number): string {
  const renamed = join(dirname(file), basename(file).replace(String(from), String(to)));
  const text = readFileSync(file, "utf8");
  renameSync(file, renamed);
  writeFileSync(renamed, text.replaceAll(`: ${from}`, `: ${to}`));
  return renamed;
}
