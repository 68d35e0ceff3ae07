import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createIdeClient, type DiffOutcome, type IdeClient } from "ide-companion/client";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { patience, poll, settleWithin } from "../../packages/testkit/src/waiting.ts";

/** An agent without a terminal and a model: it shows diffs and follows the context, and costs no start-up. */
export interface FakeCli {
  /** Writes what is accepted. @returns how it ends */
  propose(path: string, content: string): Promise<DiffOutcome>;
  /** Proposes a file of which one piece is replaced. */
  proposeReplace(path: string, before: string, after: string): Promise<void>;
  /** Proposes a whole file. */
  proposeWrite(path: string, content: string): Promise<void>;
  /** Waits until the latest proposal is decided, and written when it was accepted. */
  finished(): Promise<DiffOutcome>;
  /** Waits until the latest proposal is rejected. */
  rejected(): Promise<void>;
  /** Decides against the latest proposal, as its user does in a terminal. */
  cancel(): Promise<unknown>;
  /** Ends it. */
  leave(): Promise<void>;
  /** What it was sent last. */
  readonly context: IdeClient["context"];
}

/** Connects one to the companion that has the sandbox's workspace open. */
export async function startFakeCli(sandbox: Sandbox, title = "Fake CLI"): Promise<FakeCli> {
  const ide = createIdeClient({
    folder: sandbox.workspace,
    clientInfo: { name: title, title, version: "1.0.0" },
    host: { tmp: sandbox.tmp, home: sandbox.home, env: sandbox.env, delimiter: ":" },
  });
  sandbox.own({ close: () => ide.close() });
  // Some editors start their companion some time after their first file is open.
  await poll(`connection of ${title}`, async () =>
    (await ide.connect()).state === "connected" ? true : undefined,
  );
  let latest: Promise<DiffOutcome> | undefined;
  let latestPath = "";
  const propose = (path: string, content: string) => {
    const outcome = write(path, ide.openDiff(path, content));
    outcome.catch(() => {}); // a test may end before the decision
    latest = outcome;
    latestPath = path;
    return outcome;
  };
  const finished = async () => {
    if (latest === undefined) throw new Error(`${title} has proposed nothing`);
    return settleWithin(`the decision about ${latestPath}`, patience, latest);
  };
  return {
    propose,
    async proposeReplace(path, before, after) {
      void propose(path, (await readFile(path, "utf8")).replace(before, after));
    },
    async proposeWrite(path, content) {
      void propose(path, content);
    },
    finished,
    async rejected() {
      const { kind } = await finished();
      if (kind !== "rejected") throw new Error(`the change is ${kind}, not rejected`);
    },
    cancel: () => ide.decide(latestPath, "reject"),
    leave: () => ide.close(),
    get context() {
      return ide.context;
    },
  };
}

async function write(path: string, decided: Promise<DiffOutcome>): Promise<DiffOutcome> {
  const outcome = await decided;
  if (outcome.kind !== "accepted") return outcome;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, outcome.content);
  // Scenarios compare what the user has decided, and not for which text.
  const { before: _, ...accepted } = outcome;
  return accepted;
}
