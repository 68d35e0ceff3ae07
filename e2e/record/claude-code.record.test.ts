import { writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { startCore } from "../../packages/companion/src/testing/core.ts";
import { claudeLock } from "../../packages/testkit/src/fake-cli/claude-code.ts";
import { Recorder } from "../../packages/testkit/src/recordings/recorder.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type Claude, claudeVersions, rejected, startClaude } from "../harness/claude.ts";
import { scenario } from "../harness/scenario.ts";
import {
  createRecordedUser,
  headerOf,
  noteWritten,
  type RecordedUser,
  saveRecording,
} from "./recorded-user.ts";

/** A real Claude Code whose conversation with a companion is recorded; the companion's editor is in memory. */
interface Recorded extends RecordedUser {
  readonly sandbox: Sandbox;
  readonly cli: Claude;
  /** Waits for the end of the turn, and notes what the CLI has written. */
  written(path: string, cli?: Claude): Promise<void>;
  /** Starts another one, which is recorded as well. */
  start(): Promise<Claude>;
  /** Breaks the connection, and waits until the CLI has another one. */
  reconnected(): Promise<void>;
}

for (const version of claudeVersions) {
  record(version, "context", async ({ write, user, cli }) => {
    const path = await write("first.txt", "first\nsecond\n");
    const selection = { start: { line: 2, character: 1 }, end: { line: 2, character: 7 } };
    const file = { path, focusedAt: 1, cursor: { line: 2, character: 7 }, selectedText: "second", selection };
    user({ action: "focus", context: { files: [file], activePath: path } });
    // Version 1.0 takes its time before it hears anything.
    await cli.terminal.waitFor(/1 line selected/);
    cli.model.plan({ text: "An answer." });
    await cli.say("Describe it");
    await cli.terminal.waitFor("An answer.");
    user({ action: "focus", context: { files: [] } });
    await cli.terminal.waitForNo(/1 line selected/);
  });

  record(version, "accept", async ({ sandbox, cli, shown, user, written }) => {
    const path = sandbox.path("new.txt");
    await cli.proposeWrite(path, "first\nsecond\n");
    await shown(path);
    user({ action: "accept", path });
    await written(path);
  });

  record(version, "edit and accept", async ({ write, cli, shown, user, written }) => {
    const path = await write("note.txt", "first\nsecond\n");
    await cli.proposeEdit(path, "second", "2nd");
    await shown(path);
    user({ action: "edit", path, text: "first\nzwei\n" });
    user({ action: "accept", path });
    await written(path);
  });

  record(version, "line ends", async ({ write, cli, shown, user, written }) => {
    const path = await write("crlf.txt", "\ufefffirst\r\nsecond\r\nlast");
    await cli.proposeEdit(path, "second", "2nd");
    await shown(path);
    user({ action: "edit", path, text: "\ufefffirst\nzwei\nlast" });
    user({ action: "accept", path });
    await written(path);
  });

  record(version, "reject", async ({ write, cli, shown, user }) => {
    const path = await write("note.txt", "first\nsecond\n");
    await cli.proposeEdit(path, "second", "2nd");
    await shown(path);
    user({ action: "reject", path });
    await cli.terminal.waitFor(rejected);
  });

  record(version, "accept in the terminal", async ({ write, cli, shown, nothingShown, written }) => {
    const path = await write("note.txt", "first\nsecond\n");
    await cli.proposeEdit(path, "second", "2nd");
    await shown(path);
    await cli.answer("Enter");
    await nothingShown();
    await written(path);
  });

  record(version, "reject in the terminal", async ({ write, cli, shown, nothingShown }) => {
    const path = await write("note.txt", "first\nsecond\n");
    await cli.proposeEdit(path, "second", "2nd");
    await shown(path);
    await cli.answer("Escape");
    await nothingShown();
    await cli.terminal.waitFor(rejected);
  });

  record(version, "two at once", async ({ sandbox, cli, start, shown, user, written }) => {
    const second = await start();
    const [mine, others] = [sandbox.path("mine.txt"), sandbox.path("others.txt")];
    await cli.proposeWrite(mine, "mine\n");
    await shown(mine);
    await second.proposeWrite(others, "others\n");
    await shown(others);
    user({ action: "accept", path: others });
    await written(others, second);
    user({ action: "accept", path: mine });
    await written(mine);
  });

  // Version 1.0 does not connect again.
  if (version === "1.0.128") continue;
  record(version, "reconnect", async ({ write, cli, shown, nothingShown, reconnected, user, written }) => {
    const path = await write("note.txt", "first\nsecond\n");
    await cli.proposeEdit(path, "second", "2nd");
    await shown(path);
    await reconnected();
    await nothingShown();
    await cli.answer("Escape");
    await cli.proposeEdit(path, "second", "2nd");
    await shown(path);
    user({ action: "accept", path });
    await written(path);
  });
}

/** One recording: `recordings/claude-code/VERSION/NAME.jsonl`. */
function record(version: string, name: string, run: (recorded: Recorded) => Promise<void>): void {
  scenario(`Claude Code ${version}: ${name}`, async (sandbox) => {
    const host = { tmp: sandbox.tmp, home: sandbox.home, env: {}, delimiter };
    const { companion, editor, events } = await startCore({ host, roots: [sandbox.workspace] });
    const { tmp, home, workspace } = sandbox;
    const { port, token, content, file } = claudeLock(companion);
    const header = {
      ...headerOf("claude-code", version, name),
      transport: "websocket",
      states: ["selection_changed"],
    } as const;
    const values = { workspace, tmp, home, "token.claude": token };
    const recorder = sandbox.own(await new Recorder({ target: port, values, header }).listen());
    // Two locks for one folder lead to neither; the variable leads to this one.
    const lock = join(dirname(file), `${recorder.port}.lock`);
    await writeFile(lock, JSON.stringify({ ...content, workspaceFolders: [] }), { mode: 0o600 });
    const sessions = () => events.filter(({ kind }) => kind === "session-opened").length;
    const connected = (count: number) =>
      poll(`session ${count}`, () => sessions() >= count, { describe: cliScreen });
    const start = async () => {
      const env = { CLAUDE_CODE_SSE_PORT: String(recorder.port) };
      const before = sessions();
      const started = await startClaude(sandbox, { version, env });
      cli ??= started;
      await connected(before + 1);
      return started;
    };
    let cli: Claude | undefined;
    const cliScreen = async () => (await cli?.terminal.screen()) ?? "";
    const first = await start();
    await run({
      ...createRecordedUser({ sandbox, editor, recorder, describe: cliScreen }),
      sandbox,
      cli: first,
      start,
      written: (path, writer = first) => noteWritten(recorder, path, writer),
      async reconnected() {
        const before = sessions();
        recorder.cut();
        await connected(before + 1);
      },
    });
    await saveRecording(recorder);
  });
}
