import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createIdeClient, type DiffOutcome } from "ide-companion/client";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { patience, poll, settleWithin } from "../../packages/testkit/src/waiting.ts";

/** An agent without a terminal and a model: it shows diffs and follows the context, and costs no start-up. */
export type FakeCli = Awaited<ReturnType<typeof startFakeCli>>;

/** Connects one to the companion that has the sandbox's workspace open. */
export async function startFakeCli(sandbox: Sandbox, title = "Fake CLI") {
  const ide = createIdeClient({
    folder: sandbox.workspace,
    clientInfo: { name: title, title, version: "1.0.0" },
    host: { tmp: sandbox.tmp, home: sandbox.home, env: sandbox.env, delimiter: ":" },
  });
  sandbox.own({ close: () => ide.close() });
  // Some editors start their companion some time after their first file is open.
  await poll(`connection of ${title}`, async () => (await ide.connect()).state === "connected");
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
  const endsAs = async (wanted: DiffOutcome["kind"]) => {
    const { kind } = await finished();
    if (kind !== wanted) throw new Error(`the change is ${kind}, not ${wanted}`);
  };
  return {
    displayName: title,
    /** Writes what is accepted. @returns how it ends */
    propose,
    /** Proposes a file of which one piece is replaced. */
    async proposeReplace(path: string, before: string, after: string) {
      void propose(path, (await readFile(path, "utf8")).replace(before, after));
    },
    /** Proposes a whole file. */
    async proposeWrite(path: string, content: string) {
      void propose(path, content);
    },
    /** Waits until the latest proposal is decided, and written when it was accepted. */
    finished,
    accepted: () => endsAs("accepted"),
    rejected: () => endsAs("rejected"),
    cancelInTerminal: () => ide.decide(latestPath, "reject"),
    leave: () => ide.close(),
    /** What it was sent last. */
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
