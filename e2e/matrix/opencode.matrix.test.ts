import { delimiter } from "node:path";
import { expect } from "vitest";
import { startCore } from "../../packages/companion/src/testing/core.ts";
import { claudeLock } from "../../packages/testkit/src/fake-cli/claude-code.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { startModel } from "../harness/model.ts";
import { startOpencodeScreen } from "../harness/opencode.ts";
import { scenario } from "../harness/scenario.ts";

const inSandbox = ({ tmp, home, workspace }: Sandbox) =>
  startCore({ host: { tmp, home, env: {}, delimiter }, roots: [workspace] });

scenario(
  "opencode finds the companion by Claude Code's lock file, and takes selections and references",
  async (sandbox) => {
    const { companion, editor, events } = await inSandbox(sandbox);
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    const model = await startModel(sandbox);
    const terminal = await startOpencodeScreen(sandbox, model);
    await poll(
      "session of opencode",
      () =>
        events.some((event) => event.kind === "session-opened" && event.session.agent === "opencode") ||
        undefined,
    );
    const range = { start: { line: 2, character: 1 }, end: { line: 2, character: 7 } };
    const file = { path, focusedAt: 1, selectedText: "second", selection: range };
    editor.look({ files: [file], activePath: path });
    // It shows the line as it is sent: counted from 0.
    await terminal.waitFor("note.txt#1");
    expect(await companion.send({ mentions: [{ path, lines: { first: 2, last: 2 } }] })).toEqual({
      kind: "sent",
      agent: "opencode",
    });
    await terminal.waitFor("@note.txt");
    model.plan({ text: "An answer." });
    await terminal.press("Enter");
    await terminal.waitFor("An answer.");
    const { text } = await model.request("second");
    expect(text).toContain(path);
  },
);

scenario("opencode sends no token to the port that its variable names, and is refused", async (sandbox) => {
  const { companion, events } = await inSandbox(sandbox);
  const model = await startModel(sandbox);
  const { port } = claudeLock(companion);
  await startOpencodeScreen(sandbox, model, { CLAUDE_CODE_SSE_PORT: String(port) });
  await poll("refusal", () =>
    events.some((event) => event.kind === "request-refused" && event.status === 401),
  );
  expect(events.filter(({ kind }) => kind === "session-opened")).toEqual([]);
});
