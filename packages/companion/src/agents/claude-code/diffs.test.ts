import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { ClaudeClient, claudeLock } from "../../../../testkit/src/fake-cli/claude-code.ts";
import { startCore } from "../../testing/core.ts";
import { aComment } from "../../testing/memory-editor.ts";
import { discoveryClients } from "../agents.ts";
import { findCompanions } from "../discovery/find-companions.ts";

/** A companion with one CLI, and a proposal of it for a file that holds `old`. */
async function startDiff(text = "new\n", pid?: number) {
  const core = await startCore();
  const client = await ClaudeClient.connect(claudeLock(core.companion), pid);
  const path = join(core.root, "a.txt");
  writeFileSync(path, "old\n");
  const answer = client.openDiff(path, text, "tab 1");
  await eventually(() => core.editor.find(path));
  const settled = (kind: string) =>
    expect(core.events).toContainEqual(
      expect.objectContaining({ kind: "diff-settled", settlement: expect.objectContaining({ kind }) }),
    );
  return { ...core, claude: client, path, answer, settled };
}

describe("openDiff is answered", () => {
  test("with the text as the user has edited it, once accepted", async () => {
    const { editor, path, answer, events, settled } = await startDiff();
    editor.edit(path, "mine\n");
    expect(editor.accept(path)).toEqual({ taken: true });
    expect(await answer).toEqual(["FILE_SAVED", "mine\n"]);
    settled("accepted");
    // The companion does not write: the CLI does.
    expect(readFileSync(path, "utf8")).toBe("old\n");
    writeFileSync(path, "mine\n");
    const checked = expect.objectContaining({ kind: "file-checked", result: "written" });
    await eventually(() => expect(events).toContainEqual(checked));
  });

  test("with a rejection", async () => {
    const { editor, path, answer, settled } = await startDiff();
    expect(editor.reject(path)).toEqual({ taken: true });
    expect(await answer).toEqual(["DIFF_REJECTED"]);
    settled("rejected");
  });

  test("with a rejection, never with TAB_CLOSED, when the CLI closes the diff, and nothing is decided", async () => {
    const { claude, editor, path, answer, settled } = await startDiff();
    expect(await claude.call("close_tab", { tab_name: "tab 1" })).toEqual(["TAB_CLOSED"]);
    expect(await answer).toEqual(["DIFF_REJECTED"]);
    expect(editor.closed).toEqual([{ filePath: path, reason: "agent" }]);
    settled("closed");
  });

  test("with an error where no diff can be shown", async () => {
    const core = await startCore();
    const client = await ClaudeClient.connect(claudeLock(core.companion));
    const input = {
      old_file_path: "relative",
      new_file_path: "relative",
      new_file_contents: "",
      tab_name: "t",
    };
    const { result } = await client.ask("tools/call", { name: "openDiff", arguments: input });
    expect(result).toMatchObject({ isError: true });
    core.editor.failure = new Error("no window");
    const path = join(core.root, "a.txt");
    expect(await client.openDiff(path, "x")).toEqual([`no diff of ${path} can be shown: no window`]);
    // Its tab is free again.
    core.editor.failure = undefined;
    const answer = client.openDiff(path, "x");
    await eventually(() => core.editor.find(path));
    core.editor.accept(path);
    expect(await answer).toEqual(["FILE_SAVED", "x"]);
  });

  test("with a rejection where a newer one has the same tab", async () => {
    const { claude, editor, path, answer } = await startDiff();
    const second = claude.openDiff(path, "newer\n", "tab 1");
    expect(await answer).toEqual(["DIFF_REJECTED"]);
    await eventually(() => expect(editor.find(path).proposal.newContent).toBe("newer\n"));
    editor.accept(path);
    expect(await second).toEqual(["FILE_SAVED", "newer\n"]);
  });
});

describe("a hook that waits next to the question", () => {
  /** The companion says nothing of it to anybody. */
  const waiting = () => new Promise((resolve) => setTimeout(resolve, 500));

  /** Of a CLI that is this process. @returns what the hook hears, once the companion has answered it */
  async function waitForDecision() {
    const diff = await startDiff("new\n", process.pid);
    const [found] = await findCompanions(
      diff.host,
      discoveryClients.filter(({ isOwn }) => isOwn),
    );
    const { port, token } = found as { readonly port: number; readonly token: string };
    const request = (path: string, by: string) =>
      fetch(`http://127.0.0.1:${port}/decision?pid=${process.pid}&path=${encodeURIComponent(path)}`, {
        headers: { authorization: `Bearer ${by}` },
      });
    const ask = async (path = diff.path) => (await request(path, token)).json();
    const refused = async () => (await request(diff.path, diff.client().token)).status;
    const heard = ask();
    await waiting();
    const delivered = () =>
      expect(diff.events).toContainEqual(
        expect.objectContaining({ kind: "comments-delivered", by: "outcome" }),
      );
    return { ...diff, ask, refused, heard, delivered };
  }

  test("brings the comments of a rejection, before the CLI hears that and stops", async () => {
    const { editor, path, answer, heard, delivered, claude, refused } = await waitForDecision();
    expect(await refused()).toBe(404); // for another agent's CLI
    editor.reject(path, [aComment]);
    expect(await heard).toEqual({ kind: "rejected", message: expect.stringContaining("Why this?") });
    await eventually(delivered);
    expect(await Promise.race([answer, claude.call("close_tab", { tab_name: "tab 1" })])).toEqual([
      "TAB_CLOSED",
    ]);
    // A CLI that knows no answer of the hook hears it all the same.
    expect(await answer).toEqual(["DIFF_REJECTED"]);
  });

  test("brings the comments of an acceptance, and has nothing to say without any", async () => {
    const { editor, path, answer, heard, delivered, claude, ask } = await waitForDecision();
    editor.accept(path, [aComment]);
    expect(await heard).toEqual({ kind: "accepted", message: expect.stringContaining("Why this?") });
    expect(await answer).toEqual(["FILE_SAVED", "new\n"]);
    await eventually(delivered);
    expect(await ask()).toEqual({});
    const second = claude.openDiff(`${path}2`, "x\n", "tab 2");
    await eventually(() => editor.find(`${path}2`));
    const nothing = ask(`${path}2`);
    await waiting();
    editor.reject(`${path}2`);
    expect([await nothing, await second]).toEqual([{}, ["DIFF_REJECTED"]]);
  });
});

test("close_tab may come twice, after every outcome, and for a tab that nobody knows", async () => {
  const { claude, editor, path, answer } = await startDiff();
  editor.accept(path);
  await answer;
  for (const tab_name of ["tab 1", "tab 1", "nobody's"]) {
    expect(await claude.call("close_tab", { tab_name })).toEqual(["TAB_CLOSED"]);
  }
  expect(editor.closed).toEqual([]);
});

test("close_tab together with the user's decision leaves one outcome", async () => {
  const { claude, editor, path, answer, events } = await startDiff();
  const closed = claude.call("close_tab", { tab_name: "tab 1" });
  editor.accept(path);
  expect(await answer).toEqual(["FILE_SAVED", "new\n"]);
  expect(await closed).toEqual(["TAB_CLOSED"]);
  expect(events.filter(({ kind }) => kind === "diff-settled")).toHaveLength(1);
});

test("a diff that the editor does not close in time does not hold the CLI up", async () => {
  const { claude, editor } = await startDiff();
  editor.hide = () => new Promise(() => {});
  expect(await claude.call("close_tab", { tab_name: "tab 1" })).toEqual(["TAB_CLOSED"]);
});

test("two CLIs with the same request ids and tabs close and decide only their own diffs", async () => {
  const { companion, claude, editor, path, answer, root } = await startDiff();
  const other = await ClaudeClient.connect(claudeLock(companion));
  const [b, c] = [join(root, "b.txt"), join(root, "c.txt")];
  const answers = [other.openDiff(b, "b", "tab 1"), other.openDiff(c, "c", "tab 2")];
  await eventually(() => expect(editor.diffs.size).toBe(3));
  expect(await claude.call("closeAllDiffTabs")).toEqual(["CLOSED_1_DIFF_TABS"]);
  expect(await answer).toEqual(["DIFF_REJECTED"]);
  expect(await claude.call("close_tab", { tab_name: "tab 2" })).toEqual(["TAB_CLOSED"]);
  expect(await claude.call("closeAllDiffTabs")).toEqual(["CLOSED_0_DIFF_TABS"]);
  expect(editor.closed).toEqual([{ filePath: path, reason: "agent" }]);
  editor.accept(b);
  expect(await other.call("closeAllDiffTabs")).toEqual(["CLOSED_1_DIFF_TABS"]);
  expect(await Promise.all(answers)).toEqual([["FILE_SAVED", "b"], ["DIFF_REJECTED"]]);
});

test("a socket that is lost closes its diffs, and what the user typed can be recovered", async () => {
  const { companion, claude, editor, path } = await startDiff();
  const other = await ClaudeClient.connect(claudeLock(companion));
  editor.edit(path, "typed\n");
  editor.saveDraft(path);
  claude.socket.terminate();
  await eventually(() => expect(editor.closed).toEqual([{ filePath: path, reason: "session-ended" }]));
  const [edits] = companion.edits.list();
  expect(companion.edits.read(edits?.id ?? "")).toMatchObject({ agent: "Claude Code", text: "typed\n" });
  // It connects again, and knows nothing of the diff.
  const again = await ClaudeClient.connect(claudeLock(companion));
  expect(await again.call("close_tab", { tab_name: "tab 1" })).toEqual(["TAB_CLOSED"]);
  expect(await other.ask("ping", {})).toMatchObject({ result: {} });
});

test("a companion that stops rejects nothing: the question stays open in the terminal", async () => {
  const { companion, claude, editor, path } = await startDiff();
  await companion.close();
  expect(editor.closed).toEqual([{ filePath: path, reason: "shutdown" }]);
  await eventually(() => expect(claude.socket.readyState).toBe(claude.socket.CLOSED));
  expect(JSON.stringify(claude.heard)).not.toContain("DIFF_REJECTED");
});

test("a new file in a folder that does not exist can be accepted, and not as an empty one", async () => {
  const { editor, claude, root } = await startDiff();
  const path = join(root, "not", "there", "b.txt");
  const answer = claude.openDiff(path, "b");
  await eventually(() => editor.find(path));
  editor.edit(path, "");
  expect(editor.accept(path)).toMatchObject({ taken: false, reason: { code: "empty-new-file" } });
  editor.edit(path, "mine");
  expect(editor.accept(path)).toEqual({ taken: true });
  expect(await answer).toEqual(["FILE_SAVED", "mine"]);
});
