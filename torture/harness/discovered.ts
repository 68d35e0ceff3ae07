import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agents } from "../../packages/companion/src/agents/agents.ts";
import { lockFolder } from "../../packages/companion/src/agents/copilot-cli/lock-file.ts";
import type { Host } from "../../packages/companion/src/system/host.ts";
import { type CopilotLock, copilotLock } from "../../packages/testkit/src/fake-cli/copilot-cli.ts";

/** A discovery file, as an agent finds it. */
export interface Discovered {
  readonly path: string;
  readonly agent: string;
  readonly port: number;
  readonly token: string;
  readonly workspacePath: string;
  readonly serverPid: number;
}

/** Every discovery file of a machine; also those that are half written. */
export function readDiscovered(host: Host): readonly Discovered[] {
  return agents.flatMap((agent) =>
    agent.discoveryFolders(host).flatMap(({ path, parseName }) =>
      namesIn(path)
        .filter((name) => parseName(name) !== undefined || name.endsWith(".tmp"))
        .map((name) => ({ ...read(join(path, name)), agent: agent.name })),
    ),
  );
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

function read(path: string): Omit<Discovered, "agent"> {
  try {
    const {
      port = 0,
      authToken = "",
      workspacePath = "",
      serverPid = 0,
    } = JSON.parse(readFileSync(path, "utf8"));
    return { path, port, token: authToken, workspacePath, serverPid };
  } catch {
    return { path, port: 0, token: "", workspacePath: "", serverPid: 0 }; // removed or cut off
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not made yet
  }
}
