import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { createTestChange } from "../../testing/test-change.ts";
import { closeInTerminal, proposalOf, propose, startWithPages, waiting } from "./testing/visitor.ts";

test("a proposal is shown with its figures and texts, and an outside one is marked", async () => {
  const { frontend, visitor, page, path } = await startWithPages();
  const { proposal } = await propose(frontend, path, "one\nTWO\nthree\n");
  const { proposals } = await waiting(page);
  const [summary] = proposals;
  expect(summary).toEqual({
    id: proposal.id,
    agent: "Gemini CLI",
    filePath: path,
    label: "a.txt",
    outsideRoots: false,
    openedAt: proposal.openedAt,
    added: 2,
    removed: 1,
    isNewFile: false,
    seen: false,
    state: "current",
    edited: false,
  });
  expect((await visitor.get(`api/proposals/${summary?.id}`)).json).toEqual({
    id: summary?.id,
    comments: [],
    original: expect.objectContaining({ kind: "text", text: "one\ntwo\n" }),
    proposed: "one\nTWO\nthree\n",
    revision: 0,
    viewed: [],
  });
  const outside = join(privateFolder(), "new.txt");
  await propose(frontend, outside, "a\n");
  const both = await waiting(page, 2);
  expect(both.proposals[1]).toMatchObject({ label: outside, outsideRoots: true, isNewFile: true, added: 1 });
  expect((await visitor.get("api/proposals/none")).status).toBe(404);
});

test("no diff of a folder can be shown, but one of a file that is there only as bytes can", async () => {
  const { frontend, root, visitor, page } = await startWithPages();
  const folder = frontend.editor.show(createTestChange(proposalOf(root, "")));
  await expect(folder).rejects.toThrow(`${root} is a folder, not a file`);
  writeFileSync(join(root, "data"), Buffer.alloc(100));
  await propose(frontend, join(root, "data"), "text\n");
  const { proposals } = await waiting(page);
  const texts = await visitor.get(`api/proposals/${proposals[0]?.id}`);
  expect(texts.json).toMatchObject({ original: { kind: "binary", size: 100 }, proposed: "text\n" });
});

test("the user's text is accepted exactly, lone surrogates included", async () => {
  const { frontend, page, path } = await startWithPages();
  const { decisions } = await propose(frontend, path, "one\r\nthree");
  const { proposals } = await waiting(page);
  const content = "one\r\n\uD800\0\uFEFF three\r";
  page.say({ type: "diffAccepted", id: proposals[0]?.id ?? "", revision: 0, content: content });
  await page.hear("proposals", (message) => message.proposals.length === 0);
  expect(decisions).toEqual([{ kind: "accepted", content }]);
  const entries = await page.list("history", (listed) => listed.length === 1);
  expect(entries[0]).toMatchObject({ code: "accepted-edited", label: "a.txt", outcome: "accepted" });
});

test("two pages agree: a draft of one is shown in the other, and its figures", async () => {
  const { frontend, visitor, page, other, path } = await startWithPages(2);
  await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "draft", id, revision: 0, content: "one\ntwo\n3\n" });
  expect(await other.hear("draft")).toEqual({ type: "draft", id, revision: 1, content: "one\ntwo\n3\n" });
  const { proposals } = await other.hear("proposals", ({ proposals: [one] }) => one?.added === 1);
  expect(proposals[0]).toMatchObject({ added: 1, removed: 0 });
  const texts = await visitor.get(`api/proposals/${id}`);
  expect(texts.json).toMatchObject({ draft: "one\ntwo\n3\n", revision: 1, proposed: "one\n" });
  other.say({ type: "diffAccepted", id, revision: 1, content: "one\ntwo\n3\n" });
  await page.hear("flush");
  page.say({ type: "flushed", id });
  await page.hear("proposals", (message) => message.proposals.length === 0);
  expect(page.heard.some(({ type }) => type === "draft")).toBe(false);
});

test("a draft that has not seen another page's is refused, with both texts that it is to be merged with", async () => {
  const { frontend, page, other, path } = await startWithPages(2);
  await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  const draft = { type: "draft", id } as const;
  expect(await page.ask({ ...draft, revision: 0, content: "first" })).toEqual({ revision: 1 });
  await other.hear("draft");
  const refused = { revision: 1, content: "first" };
  expect(await other.ask({ ...draft, revision: 0, content: "second" })).toEqual(refused);
  expect(page.heard.some(({ type }) => type === "draft")).toBe(false);
  expect(await other.ask({ ...draft, revision: 1, content: "first, second" })).toEqual({ revision: 2 });
  expect(await page.hear("draft")).toMatchObject({ revision: 2, content: "first, second" });
  expect(await page.ask({ ...draft, revision: 0, content: "first!" })).toEqual({
    ...{ revision: 2, content: "first, second" },
    own: { revision: 1, content: "first" },
  });
});

test("what a page typed without its companion does not replace what another page has written meanwhile", async () => {
  const { frontend, visitor, page, path } = await startWithPages();
  await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  const away = await visitor.openPage("away");
  await away.close();
  const draft = { type: "draft", id, revision: 0 } as const;
  await page.ask({ ...draft, content: "written meanwhile" });
  await page.close();
  const back = await visitor.openPage("away");
  const refused = { content: "written meanwhile" };
  expect(await back.ask({ ...draft, content: "typed while away" })).toMatchObject(refused);
});

test("a text that another page has changed meanwhile is not accepted unseen", async () => {
  const { frontend, page, other, path } = await startWithPages(2);
  const { decisions } = await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "draft", id, revision: 0, content: "first" });
  await other.hear("draft");
  const answer = other.ask({ type: "diffAccepted", id, revision: 1, content: "first" });
  await page.hear("flush");
  page.say({ type: "draft", id, revision: 1, content: "first, and more" });
  page.say({ type: "flushed", id });
  expect(await answer).toEqual({ taken: false, reason: { code: "text-changed" } });
  expect(decisions).toEqual([]);
});

test("a page whose acceptance is refused for a text that it has missed is sent that text", async () => {
  const { frontend, page, other, path } = await startWithPages(2);
  await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "draft", id, revision: 0, content: "first" });
  await other.hear("draft");
  await page.close();
  const answer = await other.ask({ type: "diffAccepted", id, revision: 0, content: "one\n" });
  expect(await other.hear("draft")).toEqual({ type: "draft", id, revision: 1, content: "first" });
  expect(answer).toMatchObject({ taken: false });
  other.say({ type: "diffAccepted", id, revision: 1, content: "first" });
  await other.hear("proposals", ({ proposals }) => proposals.length === 0);
});

test("closing brings in what is still unsent in a page", async () => {
  const { frontend, page, path } = await startWithPages();
  const { change, drafts } = await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  // What its agent closes within a frame is no decision: nobody has seen it.
  await wait(20);
  const closing = closeInTerminal(frontend, change);
  await page.hear("flush");
  page.say({ type: "draft", id, revision: 0, content: "typed at the last moment" });
  page.say({ type: "flushed", id });
  expect(await closing).toBe("typed at the last moment");
  const entries = await page.list("history", (listed) => listed.length === 1);
  expect(entries[0]).toMatchObject({ code: "closed: agent" });
  expect(drafts).toEqual(["typed at the last moment"]);
});

test("a proposal that is closed at once is shown to no page", async () => {
  const { frontend, page, path } = await startWithPages();
  const { change } = await propose(frontend, path, "one\nTWO\nthree\n");
  expect(await closeInTerminal(frontend, change)).toBe("one\nTWO\nthree\n");
  await propose(frontend, path, "another\n");
  await waiting(page);
  expect(page.heard.filter(({ type }) => type === "flush")).toEqual([]);
  const lists = page.heard.flatMap((message) => (message.type === "proposals" ? [message.proposals] : []));
  expect(lists.flat().map(({ added }) => added)).toEqual([1]);
});

test("a page that does not answer is waited for half a second, and none when it has left", async () => {
  const { frontend, page, path } = await startWithPages();
  const { change } = await propose(frontend, path, "one\n");
  await waiting(page);
  const start = performance.now();
  await frontend.editor.flush(change);
  expect(performance.now() - start).toBeGreaterThan(490);
  await page.close();
  await eventually(() => expect(frontend.pages).toBe(0));
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await closeInTerminal(frontend, change)).toBe("one\n");
});

test("a text typed while the diff was being closed elsewhere is handed in", async () => {
  const { frontend, page, path } = await startWithPages();
  const { change, drafts } = await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  const closing = closeInTerminal(frontend, change);
  await page.hear("flush");
  page.say({ type: "flushed", id });
  await closing;
  page.say({ type: "draft", id, revision: 0, content: "late" });
  await eventually(() => expect(drafts).toEqual(["late"]));
});

test("a decision that is not taken leaves the diff open, with the user's text", async () => {
  const { frontend, visitor, page, path } = await startWithPages();
  const reason = { code: "empty-text", values: ["Gemini CLI"] } as const;
  await propose(frontend, path, "one\n", { taken: false, reason });
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  const accept = { type: "diffAccepted", id, revision: 0, content: "" } as const;
  expect(await page.ask(accept)).toEqual({ taken: false, reason });
  expect((await visitor.get(`api/proposals/${id}`)).json).toMatchObject({ draft: "" });
});

test("a decision whose passing on fails is refused, and the frontend stands", async () => {
  const { frontend, page, path } = await startWithPages();
  const decide = () => {
    throw new Error("the book is closed");
  };
  const proposal = proposalOf(path, "one\n");
  await frontend.editor.show(createTestChange(proposal, decide));
  frontend.onEvent({ kind: "diff-opened", proposal });
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  const reason = { code: "not-passed-on", values: ["the book is closed"] };
  expect(await page.ask({ type: "diffRejected", id })).toEqual({ taken: false, reason });
});

test("who accepts too late hears so, and keeps the edits", async () => {
  const { frontend, page, other, path } = await startWithPages(2);
  const { drafts } = await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "diffRejected", id });
  await other.list("history", (entries) => entries.length === 1);
  const refusalOf = (code: string) => ({ taken: false, reason: { code } });
  const accept = { type: "diffAccepted", id, revision: 0, content: "mine" } as const;
  expect(await other.ask(accept)).toEqual(refusalOf("decided-text-kept"));
  expect(drafts).toEqual(["mine"]);
  expect(await other.ask({ type: "diffRejected", id })).toEqual(refusalOf("decided"));
});

test("several are accepted as their texts stand in the pages that edit them", async () => {
  const { frontend, page, other, root } = await startWithPages(2);
  const proposed = await Promise.all(
    ["1", "2", "3"].map((name) => propose(frontend, join(root, name), `${name}\n`)),
  );
  const ids = (await waiting(page, 3)).proposals.map(({ id }) => id);
  const [first = "", ...edited] = ids;
  for (const id of edited) other.say({ type: "draft", id, revision: 0, content: "typed" });
  for (const id of edited) await page.hear("draft", (message) => message.id === id);
  page.say({ type: "diffRejected", id: first });
  for (const id of edited) page.say({ type: "diffAccepted", id });
  // All at once: a page that hangs is waited for once.
  for (const id of edited) await other.hear("flush", (message) => message.id === id);
  for (const id of edited) other.say({ type: "draft", id, revision: 1, content: "typed to the end" });
  for (const id of edited) other.say({ type: "flushed", id });
  await waiting(page, 0);
  expect(proposed.map(({ decisions }) => decisions)).toEqual([
    [{ kind: "rejected" }],
    [{ kind: "accepted", content: "typed to the end" }],
    [{ kind: "accepted", content: "typed to the end" }],
  ]);
});

test("pages hear of turns, accept the rest of one, and call it off", async () => {
  const { frontend, page, other, path, turns, accepted } = await startWithPages(2);
  const { proposal } = await propose(frontend, path, "one\n");
  turns.take({ kind: "diff-opened", proposal });
  const { turns: heard } = await other.hear("status", ({ turns: [one] }) => one !== undefined);
  expect(heard).toMatchObject([{ agent: "Gemini CLI", decided: 0, waiting: [proposal.id] }]);
  const turn = heard[0]?.id ?? "";
  page.say({ type: "acceptRest", turn, stopAt: ["*.sql"] });
  await other.hear("status", ({ turns: [one] }) => one?.ahead?.stopAt[0] === "*.sql");
  await eventually(() => expect(accepted).toEqual([proposal.id]));
  page.say({ type: "stopAccepting", turn });
  await other.hear("status", ({ turns: [one] }) => one !== undefined && one.ahead === undefined);
});
