import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agents } from "../../packages/companion/src/agents/agents.ts";
import { lockFolder } from "../../packages/companion/src/agents/copilot-cli/lock-file.ts";
import type { Host } from "../../packages/companion/src/system/host.ts";
import { type CopilotLock, copilotLock } from "../../packages/testkit/src/fake-cli/copilot-cli.ts";

/** A discovery file, as an agent finds it. */
export type Discovered = ReturnType<typeof readDiscovered>[number];

/** Every discovery file of a machine; also those that are half written. */
export function readDiscovered(host: Host) {
  return agents.flatMap((agent) =>
    agent.discoveryFolders(host).flatMap(({ path, parseName }) =>
      namesIn(path)
        .filter((name) => parseName(name) !== undefined || name.endsWith(".tmp"))
        .map((name) => ({ ...read(join(path, name)), agent: agent.name })),
    ),
  );
}

/** The file by which an agent finds the companion at a port; any agent's by default. @throws Error when there is none */
export function findDiscovered(host: Host, port: number, agent?: string): Discovered {
  const found = readDiscovered(host).find(
    (file) => file.port === port && file.agent === (agent ?? file.agent),
  );
  if (!found) throw new Error(`no discovery file of ${agent ?? "any agent"} has the port ${port}`);
  return found;
}

/** The lock files that Copilot CLI finds and can read. */
export function copilotLocks(host: Host): readonly CopilotLock[] {
  const folder = lockFolder(host);
  return namesIn(folder).flatMap((name) => {
    try {
      return [copilotLock({ discoveryFiles: [join(folder, name)] })];
    } catch {
      return []; // removed, or empty because it is being rewritten
    }
  });
}

function read(path: string) {
  const nothing = { port: 0, authToken: "", workspacePath: "", serverPid: 0 };
  let content = nothing;
  try {
    content = { ...nothing, ...JSON.parse(readFileSync(path, "utf8")) };
  } catch {
    // Removed or cut off.
  }
  const { port, authToken: token, workspacePath, serverPid } = content;
  return { path, port, token, workspacePath, serverPid };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not made yet
  }
}
