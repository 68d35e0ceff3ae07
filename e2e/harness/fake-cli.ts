import { writeFile } from "node:fs/promises";
import { createIdeClient, type DiffOutcome, type IdeClient } from "ide-companion/client";
import type { Sandbox } from "./sandbox.ts";

/** An agent without a terminal and a model: it shows diffs and follows the context, and costs no start-up. */
export interface FakeCli {
  /** Writes what is accepted. @returns how it ends */
  propose(path: string, content: string): Promise<DiffOutcome>;
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
  const status = await ide.connect();
  if (status.state !== "connected") throw new Error(`${title} is ${status.state}`);
  return {
    propose(path, content) {
      const outcome = write(path, ide.openDiff(path, content));
      outcome.catch(() => {}); // a test may end before the decision
      return outcome;
    },
    get context() {
      return ide.context;
    },
  };
}

async function write(path: string, decided: Promise<DiffOutcome>): Promise<DiffOutcome> {
  const outcome = await decided;
  if (outcome.kind === "accepted") await writeFile(path, outcome.content);
  return outcome;
}
