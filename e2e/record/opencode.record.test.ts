import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { startCore } from "../../packages/companion/src/testing/core.ts";
import { claudeLock } from "../../packages/testkit/src/fake-cli/claude-code.ts";
import { Recorder } from "../../packages/testkit/src/recordings/recorder.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { opencode } from "../harness/installed.ts";
import { startModel } from "../harness/model.ts";
import { startOpencodeScreen } from "../harness/opencode.ts";
import { scenario } from "../harness/scenario.ts";
import { createRecordedUser, headerOf, saveRecording } from "./recorded-user.ts";

const { version } = JSON.parse(readFileSync(join(dirname(opencode), "..", "package.json"), "utf8"));

/** opencode speaks Claude Code's protocol, and shows no diffs. */
scenario(`opencode ${version}: context`, async (sandbox) => {
  const { tmp, home, workspace } = sandbox;
  const host = { tmp, home, env: {}, delimiter };
  const { companion, editor, events } = await startCore({ host, roots: [workspace] });
  const { port, token, content, file } = claudeLock(companion);
  const header = {
    ...headerOf("opencode", version, "context"),
    transport: "websocket",
    states: ["selection_changed"],
  } as const;
  const values = { workspace, tmp, home, "token.claude": token };
  const recorder = sandbox.own(await new Recorder({ target: port, values, header }).listen());
  // It connects by a lock alone: to the port of a variable it sends no token.
  await rm(file);
  await writeFile(join(dirname(file), `${recorder.port}.lock`), JSON.stringify(content), { mode: 0o600 });
  const model = await startModel(sandbox);
  const terminal = await startOpencodeScreen(sandbox, model);
  const { write, user } = createRecordedUser({ sandbox, editor, recorder, describe: terminal.screen });
  await poll("session", () => events.some(({ kind }) => kind === "session-opened"));
  // It shows a line as it is sent: counted from 0.
  for (const [line, name] of [
    [2, "first.txt"],
    [1, "second.txt"],
  ] as const) {
    const path = await write(name, "first\nsecond\n");
    const selection = { start: { line, character: 1 }, end: { line, character: 3 } };
    const looked = {
      path,
      focusedAt: line,
      cursor: selection.end,
      selectedText: line === 1 ? "fi" : "se",
      selection,
    };
    user({ action: "focus", context: { files: [looked], activePath: path } });
    await terminal.waitFor(`${name}#${line - 1}`);
  }
  await saveRecording(recorder);
});
