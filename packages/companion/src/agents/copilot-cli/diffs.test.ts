import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { CopilotClient, copilotLock } from "../../../../testkit/src/fake-cli/copilot-cli.ts";
import { startCore } from "../../testing/core.ts";
import { copilotFamily } from "./family.ts";

/** A companion with one CLI, and a proposal of it for a file that holds `old`. */
async function startDiff(text = "new\n") {
  const core = await startCore({ families: [copilotFamily] });
  const client = await CopilotClient.connect(copilotLock(core.companion));
  const path = join(core.root, "a.txt");
  writeFileSync(path, "old\n");
  const answer = client.openDiff(path, text, "tab 1");
  answer.catch(() => {}); // where nobody answers
  await eventually(() => core.editor.find(path));
  return { ...core, copilot: client, path, answer };
}

const decided = (result: string, trigger: string) => ({
  success: true,
  result,
  trigger,
  tab_name: "tab 1",
  message: expect.any(String),
});

describe("open_diff is answered", () => {
  test("with SAVED once accepted, and the companion writes nothing before", async () => {
    const { editor, path, answer } = await startDiff();
    expect(editor.accept(path)).toEqual({ taken: true });
    expect(await answer).toEqual(decided("SAVED", "accepted_via_button"));
    expect(readFileSync(path, "utf8")).toBe("old\n");
  });

  test("with REJECTED", async () => {
    const { editor, path, answer } = await startDiff();
    editor.reject(path);
    expect(await answer).toEqual(decided("REJECTED", "rejected_via_button"));
  });

  test("with REJECTED when the CLI closes the diff, and both calls are", async () => {
    const { copilot, editor, path, answer } = await startDiff();
    const close = () => copilot.call("close_diff", { tab_name: "tab 1" });
    expect(await close()).toMatchObject({ success: true, already_closed: false, tab_name: "tab 1" });
    expect(await answer).toEqual(decided("REJECTED", "closed_via_tool"));
    expect(editor.closed).toEqual([{ filePath: path, reason: "agent" }]);
    expect(await close()).toMatchObject({ success: true, already_closed: true });
  });

  test("with an error, which is no decision, where no diff can be shown", async () => {
    const core = await startCore({ families: [copilotFamily] });
    const client = await CopilotClient.connect(copilotLock(core.companion));
    await expect(client.openDiff("relative", "x")).rejects.toThrow("must be absolute");
    core.editor.failure = new Error("no window");
    await expect(client.openDiff(join(core.root, "a"), "x")).rejects.toThrow("no window");
  });

  test("with REJECTED where a newer one has the same tab", async () => {
    const { copilot, editor, path, answer } = await startDiff();
    const second = copilot.openDiff(path, "newer\n", "tab 1");
    expect(await answer).toEqual(decided("REJECTED", "closed_via_tool"));
    await eventually(() => expect(editor.find(path).proposal.newContent).toBe("newer\n"));
    editor.accept(path);
    expect(await second).toEqual(decided("SAVED", "accepted_via_button"));
  });
});

test("a proposal says that edits cannot be sent, and an edited text is not accepted", async () => {
  const { editor, path, answer } = await startDiff();
  expect(editor.find(path).proposal.readOnlyReason).toEqual({
    code: "takes-no-edits",
    values: ["Copilot CLI"],
  });
  editor.edit(path, "mine\n");
  expect(editor.accept(path)).toEqual({
    taken: false,
    reason: { code: "edits-not-taken", values: ["Copilot CLI"] },
  });
  editor.edit(path, "new\n");
  expect(editor.accept(path)).toEqual({ taken: true });
  expect(await answer).toMatchObject({ result: "SAVED" });
});

test("a new file and one of 4 MB are proposed whole", async () => {
  const text = "é\r\n".repeat(1_300_000);
  const { copilot, editor, root } = await startDiff();
  const path = join(root, "not", "there", "b.txt");
  const answer = copilot.openDiff(path, text);
  await eventually(() => editor.find(path));
  expect(editor.find(path).proposal.newContent).toBe(text);
  editor.accept(path);
  expect(await answer).toMatchObject({ result: "SAVED" });
  expect(existsSync(path)).toBe(false);
});

test("a proposal names the conversation that it belongs to", async () => {
  const { copilot, editor, root } = await startDiff();
  await copilot.call("update_session_name", { name: " Fix the\u202e login\n" });
  const path = join(root, "b.txt");
  const answer = copilot.openDiff(path, "x");
  await eventually(() => editor.find(path));
  expect(editor.find(path).proposal.agent).toBe("Copilot CLI (Fix the\\u{202e} login)");
  editor.reject(path);
  await answer;
});

test("two CLIs with the same tabs close and decide only their own diffs", async () => {
  const { companion, copilot, editor, path, answer, root } = await startDiff();
  const other = await CopilotClient.connect(copilotLock(companion));
  const b = join(root, "b.txt");
  const second = other.openDiff(b, "b", "tab 1");
  await eventually(() => editor.find(b));
  expect(editor.find(b).proposal.agent).toBe("Copilot CLI 2");
  await copilot.call("close_diff", { tab_name: "tab 1" });
  expect(await answer).toMatchObject({ result: "REJECTED" });
  expect(editor.closed).toEqual([{ filePath: path, reason: "agent" }]);
  editor.accept(b);
  expect(await second).toEqual(decided("SAVED", "accepted_via_button"));
});

test("a CLI that is killed leaves no diff, and others go on", async () => {
  const { companion, copilot, editor, path, root } = await startDiff();
  const other = await CopilotClient.connect(copilotLock(companion));
  const b = join(root, "b.txt");
  const second = other.openDiff(b, "b");
  await eventually(() => editor.find(b));
  copilot.kill();
  await eventually(() => expect(editor.closed).toMatchObject([{ filePath: path }]));
  editor.accept(b);
  expect(await second).toMatchObject({ result: "SAVED" });
});

test("a companion that stops rejects nothing: the question stays open in the terminal", async () => {
  const { companion, editor, path, answer } = await startDiff();
  await companion.close();
  expect(editor.closed).toEqual([{ filePath: path, reason: "shutdown" }]);
  await expect(answer).rejects.toThrow();
});
