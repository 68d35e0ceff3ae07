import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { agents } from "../../packages/companion/src/agents/agents.ts";
import { findCompanions } from "../../packages/companion/src/agents/discovery/find-companions.ts";
import { startIdleProcess } from "../harness/idle-process.ts";
import { discoveryFiles, startCompanion } from "./companion.ts";
import { demand, fault } from "./fixture.ts";

fault("files of a killed companion are stale even if another process has its id", async (sandbox) => {
  const companion = await startCompanion(sandbox);
  companion.child.kill("SIGKILL");
  await companion.end;
  const stranger = startIdleProcess(sandbox);
  const forged = discoveryFiles(sandbox).map((file) => reassign(file, companion.pid, stranger.pid ?? 0));
  demand(forged.length === 3, "there are files of the dead companion");

  const { host } = sandbox;
  const before = await findCompanions(host, agents);
  demand(
    before.every(({ result }) => result === "stale"),
    "the client ignores them",
  );

  const next = await startCompanion(sandbox);
  demand(
    forged.every((file) => !existsSync(file)),
    `they are removed: ${forged.filter((file) => existsSync(file))}`,
  );
  const after = await findCompanions(host, agents);
  demand(
    after.length === 4 &&
      // Claude Code's family has a port for itself.
      after.every(
        (found) => found.result === "live" && (found.agent.name === "claude" || found.port === next.port),
      ),
    "only the live one is found",
  );
});

fault("a stopped companion is not dead: its files stay", async (sandbox) => {
  const companion = await startCompanion(sandbox);
  const files = discoveryFiles(sandbox);
  if (process.platform !== "win32") companion.child.kill("SIGSTOP");
  await startCompanion(sandbox);
  demand(
    files.every((file) => existsSync(file)),
    "the second one has swept the first one's files",
  );
});

/** Changes a file as if the system had reused its process id. @returns its new path */
function reassign(file: string, from: number, to: number): string {
  const renamed = join(dirname(file), basename(file).replace(String(from), String(to)));
  const text = readFileSync(file, "utf8");
  renameSync(file, renamed);
  writeFileSync(renamed, text.replaceAll(`: ${from}`, `: ${to}`));
  return renamed;
}
