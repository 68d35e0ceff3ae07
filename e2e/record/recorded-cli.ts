import { readFile } from "node:fs/promises";
import { delimiter } from "node:path";
import { startCore } from "../../packages/companion/src/testing/core.ts";
import { Recorder } from "../../packages/testkit/src/recordings/recorder.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type AgentCli, type AgentKind, startConnected } from "../harness/agent-cli.ts";
import { discoveryFiles, reroute } from "../harness/discovery-files.ts";
import { scenario } from "../harness/scenario.ts";
import {
  createRecordedUser,
  headerOf,
  noteWritten,
  type RecordedUser,
  saveRecording,
} from "./recorded-user.ts";

/** A real CLI whose conversation with a companion is recorded; the companion's editor is in memory. */
export interface RecordedCli extends RecordedUser {
  readonly sandbox: Sandbox;
  readonly cli: AgentCli;
  /** Starts another CLI, which is recorded as well. */
  start(kind: AgentKind): Promise<AgentCli>;
  /** Waits for the end of the turn, and notes what the CLI has written. */
  written(path: string, cli?: AgentCli): Promise<void>;
  /** From now on what the companion sends is lost on the way, until the connection breaks. */
  lose(): void;
  /** Waits until the companion has sent this, whether it arrived or not. */
  sent(method: string): Promise<void>;
  /** Breaks the connection, and waits until the CLI has another stream. */
  reconnected(): Promise<void>;
}

/** One recording: `recordings/AGENT/VERSION/NAME.jsonl`. */
export function record(
  kind: AgentKind,
  version: string,
  name: string,
  run: (recorded: RecordedCli) => Promise<void>,
): void {
  scenario(`${kind.displayName} ${version}: ${name}`, async (sandbox) => {
    const host = { tmp: sandbox.tmp, home: sandbox.home, env: {}, delimiter };
    const { companion, editor } = await startCore({ host, roots: [sandbox.workspace] });
    const { tmp, home, workspace } = sandbox;
    const header = {
      ...headerOf(kind.name, version, name),
      transport: "http",
      states: ["ide/contextUpdate"],
    } as const;
    const values = { workspace, tmp, home, ...(await tokens(sandbox)) };
    const recorder = sandbox.own(await new Recorder({ target: companion.port, values, header }).listen());
    await reroute(sandbox, recorder.port);
    const start = async (started: AgentKind) => {
      const cli = await startConnected(sandbox, started);
      return cli;
    };
    const cli = await start(kind);
    const streams = () =>
      recorder.recording().entries.filter((entry) => "request" in entry && entry.request.method === "GET");
    await run({
      ...createRecordedUser({ sandbox, editor, recorder }),
      sandbox,
      cli,
      start,
      written: (path, writer = cli) => noteWritten(recorder, path, writer),
      lose: recorder.lose,
      async sent(method) {
        const wasSent = () =>
          recorder
            .recording()
            .entries.some((entry) => "event" in entry && JSON.stringify(entry.event.data).includes(method));
        await poll(method, wasSent);
      },
      async reconnected() {
        const before = streams().length;
        recorder.cut();
        await poll("another stream", () => streams().length > before);
      },
    });
    await saveRecording(recorder);
  });
}

async function tokens(sandbox: Sandbox): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const path of await discoveryFiles(sandbox)) {
    const { authToken } = JSON.parse(await readFile(path, "utf8"));
    found[`token.${path.includes("gemini") ? "gemini" : "qwen"}`] = String(authToken);
  }
  return found;
}
