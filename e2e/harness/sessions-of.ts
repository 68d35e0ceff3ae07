import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";

/** How many sessions of an agent the companion of a sandbox has now. @param agent its name for people */
export async function sessionsOf({ tmp }: Sandbox, agent: string): Promise<number> {
  const folder = join(tmp, "gemini", "ide");
  const [name = ""] = await readdir(folder).catch(() => []);
  try {
    const { port, authToken } = JSON.parse(await readFile(join(folder, name), "utf8"));
    const headers = { authorization: `Bearer ${authToken}` };
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { headers });
    const { sessions } = Object(await answer.json());
    return JSON.stringify(sessions).split(`"${agent}`).length - 1;
  } catch {
    return 0; // the companion is not there yet
  }
}

/** Waits until the companion has so many: not every CLI's screen says it. @param agent its name for people */
export async function awaitSessions(sandbox: Sandbox, agent: string, count = 1): Promise<void> {
  await poll(`${count} sessions of ${agent}`, async () => (await sessionsOf(sandbox, agent)) >= count);
}
