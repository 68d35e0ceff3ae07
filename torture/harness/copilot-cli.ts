import { randomUUID } from "node:crypto";
import { z } from "zod";
import { messageOf } from "../../packages/companion/src/system/error-message.ts";
import type { Host } from "../../packages/companion/src/system/host.ts";
import { CopilotClient, type CopilotLock } from "../../packages/testkit/src/fake-cli/copilot-cli.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type Cli, type CliOutcome, type CliSession, type Reply, usual } from "./cli.ts";
import { copilotLocks, type Discovered, findDiscovered } from "./discovered.ts";
import { readHealth } from "./health.ts";

/** For a lock file that can be read, on a busy machine; in milliseconds. */
const patience = 10_000;

/** As docs/reference/copilot-cli.md describes the real one. */
const behaviour = { ...usual, takesNoEdits: true, holdsCalls: true };

/** A CLI that sends what Copilot CLI does, and writes its own text, whatever its user types. */
export function createCopilotCli(host: Host): Cli {
  return { name: "copilot", connect: (port) => connect(host, port), close: async () => {} };
}

async function connect(host: Host, port: number): Promise<CliSession> {
  const companion = findDiscovered(host, port);
  const client = new CopilotClient(await findLock(host, companion.serverPid), randomUUID(), () => {});
  const former = (await sessionsAt(companion)).map(({ id }) => id);
  await client.initialize();
  await client.openStream();
  const own = (await sessionsAt(companion)).find(({ id }) => !former.includes(id));
  if (!own) throw new Error(`the companion at port ${port} has no new session`);
  return createSession(client, own.agent);
}

/** The lock of a companion. One that is being rewritten is empty for a moment: then the CLI looks again. */
function findLock(host: Host, pid: number): Promise<CopilotLock> {
  const look = () => copilotLocks(host).find(({ content }) => content.pid === pid);
  return poll(`lock file of the process ${pid}`, look, { within: patience });
}

/** The sessions of Copilot CLI that a companion has. */
async function sessionsAt({ port, token }: Discovered) {
  const { sessions } = await readHealth(port, { authorization: `Bearer ${token}` });
  return sessions.filter(({ agent }) => agent.startsWith("Copilot CLI"));
}

const ended = { ok: false, reason: "the CLI has ended" } as const;

const Decided = z.object({ result: z.enum(["SAVED", "REJECTED"]), trigger: z.string() });
const Closed = z.object({ already_closed: z.boolean() });

/** It has a tab for each file: a newer diff takes the place of an older one. */
function createSession(client: CopilotClient, label: string): CliSession {
  const outcomes: CliOutcome[] = [];
  /** What becomes of the newest diff of each file. */
  const newest = new Map<string, Promise<string | undefined>>();
  let waiting = 0;
  /** A process that has ended sends nothing more. */
  let hasEnded = false;

  /** @returns what has ended it; undefined when that is not known, and the question in the terminal stays */
  async function decisionOf(filePath: string, content: string): Promise<string | undefined> {
    waiting += 1;
    try {
      const { result, trigger } = Decided.parse(await client.openDiff(filePath, content, filePath));
      if (result === "SAVED") outcomes.push({ kind: "accepted", filePath, content });
      else if (trigger !== "closed_via_tool") outcomes.push({ kind: "rejected", filePath });
      return trigger;
    } catch {
      return undefined; // its companion has ended, or its session
    } finally {
      waiting -= 1;
    }
  }

  return {
    label,
    behaviour,
    outcomes,
    get isStreaming() {
      return client.isListening;
    },
    get waiting() {
      return waiting;
    },
    async open(filePath, content) {
      if (hasEnded) return ended;
      newest.set(filePath, decisionOf(filePath, content));
      // Its call waits for the user. Once a later one is answered, the companion has it.
      await client.ask("ping", {}).catch(() => {}); // killed meanwhile
      return { ok: true };
    },
    async close(filePath, suppressNotification): Promise<Reply> {
      if (hasEnded) return ended;
      const decision = newest.get(filePath);
      try {
        const answer = Closed.parse(await client.call("close_diff", { tab_name: filePath }));
        if (answer.already_closed) return { ok: false, reason: "it is closed already" };
      } catch (error) {
        return { ok: false, reason: messageOf(error) };
      }
      const isWithdrawn = (await decision) === "closed_via_tool";
      if (isWithdrawn && !suppressNotification) outcomes.push({ kind: "rejected", filePath });
      return { ok: true };
    },
    async leave() {
      hasEnded = true;
      await client.goodbye();
      client.kill();
    },
    async kill() {
      hasEnded = true;
      client.kill();
    },
  };
}
