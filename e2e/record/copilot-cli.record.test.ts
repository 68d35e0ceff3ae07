import { rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { copilotFamily } from "../../packages/companion/src/agents/copilot-cli/family.ts";
import { startCore } from "../../packages/companion/src/testing/core.ts";
import { copilotLock } from "../../packages/testkit/src/fake-cli/copilot-cli.ts";
import { Recorder } from "../../packages/testkit/src/recordings/recorder.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type Copilot, copilotVersion, rejected, startCopilot } from "../harness/copilot.ts";
import { scenario } from "../harness/scenario.ts";
import {
  createRecordedUser,
  headerOf,
  noteWritten,
  type RecordedUser,
  saveRecording,
} from "./recorded-user.ts";

/** A real Copilot CLI whose conversation with a companion is recorded; the companion's editor is in memory. */
interface Recorded extends RecordedUser {
  readonly sandbox: Sandbox;
  readonly cli: Copilot;
  /** Waits for the end of the turn, and notes what the CLI has written. */
  written(path: string): Promise<void>;
}

record("context", async ({ write, user, cli }) => {
  const path = await write("first.txt", "first\nsecond\n");
  const selection = { start: { line: 2, character: 1 }, end: { line: 2, character: 7 } };
  const file = { path, focusedAt: 1, cursor: { line: 2, character: 7 }, selectedText: "second", selection };
  user({ action: "focus", context: { files: [file], activePath: path } });
  await cli.terminal.waitFor("@first.txt:2");
  user({ action: "focus", context: { files: [] } });
  await cli.terminal.waitForNo("@first.txt:2");
});

record("accept", async ({ sandbox, cli, shown, user, written }) => {
  const path = sandbox.path("new.txt");
  await cli.proposeCreate(path, "first\nsecond\n");
  await shown(path);
  user({ action: "accept", path });
  await written(path);
});

record("reject", async ({ write, cli, shown, user }) => {
  const path = await write("note.txt", "first\nsecond\n");
  await cli.proposeEdit(path, "second", "2nd");
  await shown(path);
  user({ action: "reject", path });
  await cli.terminal.waitFor(rejected);
});

record("accept in the terminal", async ({ write, cli, shown, nothingShown, written }) => {
  const path = await write("note.txt", "first\nsecond\n");
  await cli.proposeEdit(path, "second", "2nd");
  await shown(path);
  await cli.answer("Enter");
  await nothingShown();
  await written(path);
});

record("reject in the terminal", async ({ write, cli, shown, nothingShown }) => {
  const path = await write("note.txt", "first\nsecond\n");
  await cli.proposeEdit(path, "second", "2nd");
  await shown(path);
  await cli.answer("Escape");
  await nothingShown();
});

/** One recording: `recordings/copilot/VERSION/NAME.jsonl`. */
function record(name: string, run: (recorded: Recorded) => Promise<void>): void {
  scenario(`Copilot CLI ${copilotVersion}: ${name}`, async (sandbox) => {
    const { tmp, home, workspace } = sandbox;
    const host = { tmp, home, env: {}, delimiter };
    const families = [copilotFamily];
    const { companion, editor, events } = await startCore({ host, roots: [workspace], families });
    const { file, content, socketPath, headers } = copilotLock(companion);
    const token = headers.Authorization?.replace("Bearer ", "") ?? "";
    const header = {
      ...headerOf("copilot", copilotVersion, name),
      transport: "http",
      states: ["selection_changed"],
    } as const;
    const values = { workspace, tmp, home, "token.copilot": token };
    const path = join(tmp, "recorder.sock");
    const recorder = sandbox.own(await new Recorder({ target: socketPath, path, values, header }).listen());
    // The CLI takes any one of those that fit.
    const lock = { ...content, socketPath: path };
    await rm(file);
    await writeFile(join(dirname(file), "recorder.lock"), JSON.stringify(lock), { mode: 0o600 });
    await companion.setRoots([sandbox.path("elsewhere")]);
    const cli = await startCopilot(sandbox);
    const describe = () => cli.terminal.screen();
    await poll("stream", () => events.some(({ kind }) => kind === "stream-opened"), {
      describe,
    });
    await run({
      ...createRecordedUser({ sandbox, editor, recorder, describe }),
      sandbox,
      cli,
      written: (file) => noteWritten(recorder, file, cli),
    });
    await saveRecording(recorder);
  });
}
