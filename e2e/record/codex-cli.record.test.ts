import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { startCore } from "../../packages/companion/src/testing/core.ts";
import { codexSocket } from "../../packages/testkit/src/fake-cli/codex-cli.ts";
import { startFrameRecorder } from "../../packages/testkit/src/recordings/frame-recorder.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type Codex, startCodex } from "../harness/codex.ts";
import { codex as program } from "../harness/installed.ts";
import { scenario } from "../harness/scenario.ts";
import { createRecordedUser, headerOf, type RecordedUser, saveRecording } from "./recorded-user.ts";

const version = "0.171.0";

/** A real Codex CLI whose questions to a companion are recorded; the companion's editor is in memory. */
interface Recorded extends Pick<RecordedUser, "write" | "user"> {
  readonly sandbox: Sandbox;
  start(cwd?: string): Promise<Codex>;
  /** Sends a prompt, and waits for the model's answer. */
  prompt(cli: Codex, words: string): Promise<void>;
}

record("context", async ({ write, user, start, prompt }) => {
  const path = await write("src/first.txt", "first\nsecond\n");
  const other = await write("other.txt", "");
  const selection = { start: { line: 2, character: 1 }, end: { line: 2, character: 7 } };
  const file = { path, focusedAt: 2, cursor: { line: 2, character: 7 }, selectedText: "second", selection };
  user({ action: "focus", context: { files: [file, { path: other, focusedAt: 1 }], activePath: path } });
  const cli = await start();
  await cli.say("/ide on");
  await cli.terminal.waitFor("IDE context is on");
  await prompt(cli, "With a selection");
  const cursor = { path, focusedAt: 3, cursor: { line: 1, character: 3 } };
  user({ action: "focus", context: { files: [cursor], activePath: path } });
  await prompt(cli, "With a cursor");
  user({ action: "focus", context: { files: [] } });
  await prompt(cli, "Without a file");
});

record("another folder", async ({ sandbox, start }) => {
  const other = join(sandbox.home, "other");
  await mkdir(other);
  const cli = await start(other);
  await cli.say("/ide on");
  await cli.terminal.waitFor("IDE context could not be enabled");
});

/** One recording: `recordings/codex/VERSION/NAME.jsonl`. */
function record(name: string, run: (recorded: Recorded) => Promise<void>): void {
  scenario(
    `Codex CLI ${version}: ${name}`,
    async (sandbox) => {
      const { tmp, home, workspace } = sandbox;
      // The recorder has the place where the CLI asks.
      const companionHome = join(tmp, "companion");
      const host = { tmp, home, env: { CODEX_HOME: companionHome }, delimiter };
      const { editor, events } = await startCore({ host, roots: [workspace] });
      const header = { ...headerOf("codex", version, name), transport: "socket", states: [] } as const;
      const target = join(companionHome, "ipc", "ipc.sock");
      const values = { workspace, tmp, home };
      const recorder = sandbox.own(
        await startFrameRecorder({ target, path: codexSocket(sandbox), values, header }),
      );
      const recordedUser = createRecordedUser({ sandbox, editor, recorder });
      await run({
        sandbox,
        write: recordedUser.write,
        user(action) {
          recordedUser.user(action);
        },
        start: (cwd = workspace) => startCodex(sandbox, { cwd }),
        async prompt(cli, words) {
          const before = events.filter(({ kind }) => kind === "context-requested").length;
          cli.model.plan({ text: `An answer to: ${words}.` });
          await cli.say(words);
          await cli.terminal.waitFor(`An answer to: ${words}.`);
          const asked = () => events.filter(({ kind }) => kind === "context-requested").length > before;
          await poll("question", asked);
        },
      });
      await saveRecording(recorder);
    },
    { needs: { "Codex CLI": program } },
  );
}
