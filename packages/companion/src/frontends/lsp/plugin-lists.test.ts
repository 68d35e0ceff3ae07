import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { Feedback, toConversation } from "../../core/written/feedback.ts";
import { writtenFolder } from "../../system/host.ts";
import type { Row } from "../protocol/list-messages.ts";
import { createLspClient } from "./testing/lsp-client.ts";
import { createWritingAgent } from "./testing/writing-agent.ts";

/** An editor with a plugin that shows every proposal, and an agent. */
async function startPlugin() {
  const client = createLspClient();
  const texts = new Map<string, string>();
  client.connection.onRequest("companion/openDiff", ({ id, newContent }) => {
    texts.set(id, newContent);
    return null;
  });
  const text = ({ id }: { id: string }) => ({ content: texts.get(id) ?? "" });
  client.connection.onRequest("companion/closeDiff", text);
  client.connection.onRequest("companion/readDiff", text);
  await client.start({ capabilities: { experimental: { ideCompanion: { version: 1 } } } });
  const agent = await client.agent();
  const ask = <Answer = never>(method: string, params: object) =>
    client.connection.sendRequest<Answer>(method, params);
  const propose = (name: string, newContent: string) =>
    agent.call("openDiff", { filePath: path.join(client.root, name), newContent });
  return { client, agent, ask, propose };
}

test("a plugin sees which turn its proposals belong to, accepts the rest of it ahead, and calls that off", async () => {
  const { client, agent, ask, propose } = await startPlugin();
  const stream = await agent.openStream();
  await propose("a.txt", "a");
  await propose("b.lock", "b");
  const [id, second] = await client.waiting();
  const act = (action: string, more: object = {}) =>
    ask("companion/act", { list: "waiting", id, action, stopAt: ["*.lock"], ...more });
  expect(await act("stop-ahead")).toEqual({ message: "Nothing is accepted ahead." });
  expect(await act("accept-ahead", { id: "9" })).toEqual({ message: "The turn of this proposal is over." });
  const question = "Accept what Gemini CLI proposes until its turn ends, except for *.lock? Now:";
  expect(await act("accept-ahead")).toEqual({
    ask: { question: `${question}\n  a.txt\n  b.lock`, yes: "Accept" },
  });
  const done = { message: "The rest of Gemini CLI is accepted", next: "stop-ahead" };
  expect(await act("accept-ahead", { sure: true })).toEqual(done);
  const accepted = await stream.method("ide/diffAccepted");
  expect(accepted.params).toEqual({ filePath: path.join(client.root, "a.txt"), content: "a" });
  const isAhead = ({ ahead, line }: Record<string, unknown>) =>
    JSON.stringify(ahead) === '["Gemini CLI"]' && line === "Gemini CLI (1) ahead";
  await client.hears("companion/status", isAhead);
  expect(await ask("companion/list", { list: "waiting" })).toMatchObject({
    rows: [{ id: second, text: "+1 -0, 2 of 2, ahead" }],
  });
  expect(await act("stop-ahead")).toEqual({ message: "You decide about Gemini CLI again." });
  expect(await ask("companion/list", { list: "waiting" })).toMatchObject({
    rows: [{ text: "+1 -0, 2 of 2" }],
  });
});

test("a plugin lists what waits, with all that counts before a decision", async () => {
  const { client, ask, propose } = await startPlugin();
  writeFileSync(path.join(client.root, "b.txt"), Buffer.from("caf\xe9\n", "latin1"));
  await propose("a.txt", "one\n");
  await propose("b.txt", "two\n");
  await propose("c.txt", "three\n");
  const [first, second, third] = await client.waiting();
  await ask("companion/draft", { id: second, content: "two\nmine\n" });
  const comment = { side: "proposed", startLine: 1, endLine: 1, text: "Why?" };
  await ask("companion/comment", { id: second, ...comment });
  await ask("companion/diffAccepted", { id: first, content: "one\n" });
  const list = () => ask("companion/list", { list: "waiting" });
  expect(await list()).toMatchObject({
    rows: [
      {
        ...{ id: second, label: "b.txt" },
        text: "+2 -1, 2 of 3, replaces 1 non-UTF-8 line, edited by you, 1 comment",
        hunks: [
          { line: 1, text: "Gemini CLI: +2 -1, 2 of 3, replaces 1 non-UTF-8 line, edited by you, 1 comment" },
        ],
      },
      { id: third, label: "c.txt", agent: "Gemini CLI", text: "+1 -0, 3 of 3" },
    ],
  });
  const act = (action: string, more: object = {}) =>
    ask("companion/act", { list: "waiting", id: "", action, ...more });
  const names = "  b.txt, replaces 1 non-UTF-8 line, edited by you\n  c.txt";
  expect(await act("reject")).toEqual({ ask: { question: `Reject 2 proposals?\n${names}`, yes: "Reject" } });
  expect(await act("reject", { sure: true })).toEqual({ decide: { accept: false, ids: [second, third] } });
  expect(await act("accept")).toEqual({ ask: { question: `Accept 2 proposals?\n${names}`, yes: "Accept" } });
  expect(await act("accept", { id: third })).toEqual({ decide: { accept: true, ids: [third] } });
  for (const id of [second, third]) await ask("companion/diffRejected", { id });
  expect(await list()).toMatchObject({ rows: [] });
  expect(await act("accept")).toEqual({ message: "No proposal waits for you." });
});

test("of many proposals a question names those first of which there is more to know", async () => {
  const { client, ask, propose } = await startPlugin();
  for (let count = 1; count <= 14; count += 1) await propose(`${count}.txt`, "proposed\n");
  const ids = await client.waiting();
  await ask("companion/draft", { id: ids[13], content: "mine\n" });
  const { ask: asked } = await ask<{ ask: { question: string } }>("companion/act", {
    ...{ list: "waiting", id: ids[0], action: "accept-agent" },
  });
  const lines = asked.question.split("\n");
  expect(lines.slice(0, 3)).toEqual([
    "Accept 14 proposals of Gemini CLI?",
    "  14.txt, edited by you",
    "  1.txt",
  ]);
  expect(lines.slice(-2)).toEqual(["  11.txt", "  and 2 more"]);
});

test("a plugin lists what was decided, reads it, and gets the file without the change and what came since", async () => {
  const { client, ask, propose } = await startPlugin();
  const filePath = path.join(client.root, "a.txt");
  writeFileSync(filePath, "one\ntwo\nthree\nfour\nfive\n");
  await propose("a.txt", "one\n2nd\nthree\nfour\nfive\n");
  const content = "one\n2nd!\nthree\nfour\nfive\n";
  const [id] = await client.waiting();
  await ask("companion/diffAccepted", { id, content });
  const found = await eventually(async () => {
    const { rows } = await client.connection.sendRequest<{ rows: { id: string }[] }>("companion/list", {
      list: "history",
      wanted: "accepted",
    });
    expect(rows).toHaveLength(1);
    return rows[0];
  });
  expect(found).toMatchObject({ agent: "Gemini CLI", filePath, label: "a.txt" });
  const none = await client.connection.sendRequest("companion/list", { list: "history", wanted: "Qwen" });
  expect(none).toMatchObject({ rows: [] });
  const act = (action: string, id = found?.id) => ask("companion/act", { list: "history", id, action });
  // The file of a proposal that is decided at once is read after the decision.
  await eventually(async () =>
    expect(await act("show")).toMatchObject({
      compare: {
        label: "a.txt",
        patch: expect.stringMatching(/^--- a.txt\tBefore\n\+\+\+ a.txt\tGemini CLI$[\s\S]*^-two\n\+2nd!$/m),
      },
    }),
  );
  writeFileSync(filePath, `${content}six\n`);
  const what = "the file without the change";
  expect(await act("undo")).toEqual({
    put: { filePath, content: "one\ntwo\nthree\nfour\nfive\nsix\n", what, onlySaved: true },
  });
  expect(readFileSync(filePath, "utf8")).toBe(`${content}six\n`);
  const texts = async () => {
    const params = { list: "history" };
    const { rows } = await client.connection.sendRequest<{ rows: { text: string }[] }>(
      "companion/list",
      params,
    );
    return rows.map(({ text }) => text);
  };
  expect(await texts()).toEqual([expect.not.stringContaining("undone")]);
  // As when the user saves the buffer.
  writeFileSync(filePath, "one\ntwo\nthree\nfour\nfive\nsix\n");
  await eventually(async () => expect(await texts()).toEqual([expect.stringContaining(", undone")]));
  writeFileSync(filePath, `${content}six\n`);
  expect(await act("reapply")).toEqual({ message: "The file is so already." });
  writeFileSync(filePath, "another text\n");
  expect(await act("undo")).toEqual({
    message: "The file has changed since in the same places: undo it by hand.",
  });
  await expect(act("show", "0")).rejects.toThrow("The texts of this change are not kept any more.");
});

test("a plugin hears what an agent wrote without asking, reads it, keeps it, and gets the file without it", async () => {
  const { client, ask } = await startPlugin();
  const [a, b] = ["a.txt", "b.txt"].map((name) => path.join(client.root, name)) as [string, string];
  const agent = createWritingAgent(client.host);
  writeFileSync(a, "one\ntwo\n");
  agent.begin("Count");
  await agent.write(a, "one\n2nd\n");
  await agent.write(b, "new\n");
  agent.end();
  expect(await client.hears("companion/news")).toEqual({
    ...{ severity: "info", text: "Gemini CLI changed 2 files: +2 −1", list: "written" },
  });
  const rows = async () =>
    (
      await ask<{ rows: { id: string; label: string; text: string }[] }>("companion/list", {
        list: "written",
      })
    ).rows;
  const [first, second] = await rows();
  expect([first, second]).toMatchObject([
    { agent: "Gemini CLI", label: "a.txt", text: "modified, +1 −1: Count" },
    { label: "b.txt", text: "added, +1 −0: Count" },
  ]);
  const act = (row: typeof first, action: string) =>
    ask("companion/act", { list: "written", id: row?.id ?? "", action });
  expect(await act(first, "show")).toMatchObject({
    compare: { patch: expect.stringContaining(" one\n-two\n+2nd\n") },
  });
  writeFileSync(a, "zero\none\n2nd\n");
  const what = "the file without the change";
  expect(await act(first, "revert")).toEqual({
    put: { filePath: a, content: "zero\none\ntwo\n", what, onlySaved: true },
  });
  expect(await act(second, "revert")).toEqual({
    message: "The change made this file: delete it to undo that.",
  });
  expect(await act(second, "keep")).toEqual({ message: "Kept: b.txt.", removed: true });
  expect(await rows()).toMatchObject([{ label: "a.txt" }]);
  const heard = () => new Feedback(writtenFolder(client.host)).take(toConversation("gemini", "1"));
  expect(heard()).toBeUndefined();
  // As when the user saves the buffer.
  writeFileSync(a, "zero\none\ntwo\n");
  expect(await rows()).toEqual([]);
  await eventually(() => expect(heard()).toContain(`${a}, line 3:\n- 2nd\n+ two\n`));
  await expect(act(first, "keep")).rejects.toThrow("This change does not wait any more.");
  agent.begin("Indent");
  await agent.write(a, "zero\n  one\ntwo\n");
  expect(await rows()).toMatchObject([{ text: "modified, only white space, +1 −1: Indent" }]);
});

test("a row of a file that an agent renamed says what it was called, from its new folder", async () => {
  const { client, ask } = await startPlugin();
  const [old, folder] = ["old.txt", "new"].map((name) => path.join(client.root, name)) as [string, string];
  const agent = createWritingAgent(client.host);
  mkdirSync(folder);
  writeFileSync(old, "one\n");
  agent.begin("Rename it");
  await agent.write(path.join(folder, "new.txt"), "one\n");
  await agent.write(old, null);
  const { rows } = await ask<{ rows: Row[] }>("companion/list", { list: "written" });
  expect(rows.map(({ text }) => text)).toEqual([
    "renamed from ../old.txt, +1 −0: Rename it",
    "deleted, +0 −1: Rename it",
  ]);
});

test("a row of what an agent wrote says where that is in its file now, hunk by hunk, open or not", async () => {
  const { client, ask } = await startPlugin();
  const [poem, gone] = ["poem.txt", "gone.txt"].map((name) => path.join(client.root, name)) as [
    string,
    string,
  ];
  writeFileSync(poem, "1\n2\n3\n4\n5\n6\n7\n8\n");
  writeFileSync(gone, "1\n");
  const [agent, other] = [createWritingAgent(client.host), createWritingAgent(client.host, "codex")];
  agent.begin("Count");
  await agent.write(poem, "1\n2nd\n2b\n3\n4\n5\n6\n8\n");
  await agent.write(gone, null);
  other.begin("");
  await other.write(poem, "1\n2nd\n2b\n3\n4\nfive\n6\n8\n");
  writeFileSync(poem, "mine\n1\n2nd\n2b\n3\n4\nfive\n6\n8\n");
  const { rows } = await ask<{ rows: Row[] }>("companion/list", { list: "written" });
  const places = rows.map(({ label, hunks }) => [
    label,
    ...(hunks ?? []).map(({ line, text }) => `${line} ${text}`),
  ]);
  expect(places).toEqual([
    ["poem.txt", "7 +1 −1 Codex CLI"],
    ["poem.txt", "3 +2 −1 Gemini CLI: Count", "9 +0 −1 Gemini CLI: Count"],
    ["gone.txt"],
  ]);
  expect(rows[2]).not.toHaveProperty("hunks");
});
