import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import type { EditorContext } from "../../core/editor.ts";
import type { ProposalSummary } from "./protocol.ts";
import {
  admitVisitor,
  closeInTerminal,
  proposalOf,
  propose,
  startTestFrontend,
  type TestPage,
} from "./testing/visitor.ts";

async function startWithPages(count = 1) {
  const { frontend, root, edits } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  const pages: TestPage[] = [];
  for (let index = 0; index < count; index += 1) pages.push(await visitor.openPage());
  for (const greeted of pages) {
    await greeted.hear("edits");
    greeted.forgetPast();
  }
  const [page, other] = pages;
  if (!page) throw new Error("a test needs a page");
  const path = join(root, "a.txt");
  writeFileSync(path, "one\ntwo\n");
  return { frontend, root, visitor, page, other: other ?? page, path, edits };
}

const waiting = (page: TestPage, count = 1) =>
  page.hear("proposals", ({ proposals }) => proposals.length === count);

test("a page is welcomed with all there is", async () => {
  const { frontend, root, page } = await startWithPages();
  const session = { id: "s", agent: "Gemini CLI", client: { name: "gemini", version: "1" }, connectedAt: 5 };
  const welcome = { version: "1.2.3", roots: [root], port: Number(new URL(frontend.url).port) };
  expect(page.heard[0]).toMatchObject({ type: "welcome", ...welcome });
  expect(page.heard[4]).toEqual({
    type: "context",
    context: { files: [] },
    excluded: [],
    paused: false,
    sessions: 0,
  });
  expect(page.heard.map(({ type }) => type)).toEqual([
    "welcome",
    "sessions",
    "proposals",
    "history",
    "context",
    "edits",
  ]);
  frontend.onEvent({ kind: "session-opened", session });
  await page.hear("sessions", ({ sessions }) => sessions[0]?.streaming === false);
  frontend.onEvent({ kind: "stream-opened", session });
  expect(await page.hear("sessions", ({ sessions }) => sessions.length > 0)).toEqual({
    type: "sessions",
    sessions: [{ ...session, streaming: true }],
  });
  const context = { files: [] };
  frontend.onEvent({ kind: "context-sent", context, sessions: 1 });
  const sent = { type: "context", context, sessions: 1 };
  expect(await page.hear("context")).toEqual({ ...sent, excluded: [], paused: false });
  const withheld = { isPaused: true, excluded: [join(root, ".env")] };
  frontend.onEvent({ kind: "sharing-changed", withheld, wasPaused: false });
  expect(await page.hear("context", ({ paused }) => paused)).toEqual({
    ...sent,
    excluded: [join(root, ".env")],
    paused: true,
  });
  frontend.onEvent({ kind: "session-closed", session, reason: "gone" });
  await page.hear("sessions", ({ sessions }) => sessions.length === 0);
});

test("a page pauses and resumes sharing, and hears when that cannot be remembered", async () => {
  const asked: boolean[] = [];
  const sharing = {
    pause(isPaused: boolean) {
      asked.push(isPaused);
      if (!isPaused) throw new Error("the disk is full");
    },
  };
  const { frontend } = await startTestFrontend({ sharing });
  const page = await (await admitVisitor(frontend)).openPage();
  page.say({ type: "pause", paused: true });
  page.say({ type: "pause", paused: false });
  expect(await page.hear("notice")).toMatchObject({
    level: "warning",
    text: "This is not remembered for the next start: the disk is full",
  });
  expect(asked).toEqual([true, false]);
});

test("sockets of strangers are refused", async () => {
  const { frontend } = await startTestFrontend();
  const { cookie } = await admitVisitor(frontend);
  const origin = frontend.url.slice(0, -1);
  const refusal = async (path: string, headers: Record<string, string>, from?: string) => {
    const socket = new WebSocket(frontend.url.replace("http", "ws") + path, {
      headers,
      ...(from ? { origin: from } : {}),
    });
    const [error] = await once(socket, "error");
    return error.message;
  };
  expect(await refusal("socket", { cookie })).toContain("403");
  expect(await refusal("socket", { cookie }, "http://evil.example")).toContain("403");
  expect(await refusal("socket", { cookie, host: "evil.example" }, origin)).toContain("403");
  expect(await refusal("socket", {}, origin)).toContain("401");
  expect(await refusal("other", { cookie }, origin)).toContain("404");
});

test("a proposal is shown with its figures and texts, and an outside one is marked", async () => {
  const { frontend, visitor, page, path } = await startWithPages();
  const { proposal } = await propose(frontend, path, "one\nTWO\nthree\n");
  const { proposals } = await waiting(page);
  const [summary] = proposals;
  expect(summary).toEqual({
    id: expect.stringMatching(new RegExp(`\\.${proposal.id}$`)),
    agent: "Gemini CLI",
    filePath: path,
    label: "a.txt",
    outsideRoots: false,
    openedAt: proposal.openedAt,
    added: 2,
    removed: 1,
    isNewFile: false,
    edited: false,
  });
  expect((await visitor.get(`api/proposals/${summary?.id}`)).json).toEqual({
    id: summary?.id,
    original: expect.objectContaining({ kind: "text", text: "one\ntwo\n" }),
    proposed: "one\nTWO\nthree\n",
    revision: 0,
    diskStamp: expect.any(String),
  });
  const outside = join(privateFolder(), "new.txt");
  await propose(frontend, outside, "a\n");
  const both = await waiting(page, 2);
  expect(both.proposals[1]).toMatchObject({ label: outside, outsideRoots: true, isNewFile: true, added: 1 });
  expect((await visitor.get("api/proposals/1")).status).toBe(404);
});

test("no diff of a folder can be shown, but one of a file that is there only as bytes can", async () => {
  const { frontend, root, visitor, page } = await startWithPages();
  const folder = frontend.editor.openDiff(
    proposalOf(root, ""),
    () => ({ taken: true }),
    () => {},
  );
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
  page.say({ type: "accept", id: proposals[0]?.id ?? "", revision: 0, text: content });
  await page.hear("proposals", (message) => message.proposals.length === 0);
  expect(decisions).toEqual([{ kind: "accepted", content }]);
  const { entries } = await page.hear("history", (message) => message.entries.length === 1);
  expect(entries[0]).toMatchObject({ text: "accepted with your edits", label: "a.txt", outcome: "accepted" });
});

test("two pages agree: a draft of one is shown in the other, and its figures", async () => {
  const { frontend, visitor, page, other, path } = await startWithPages(2);
  await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "draft", id, revision: 0, text: "one\ntwo\n3\n" });
  expect(await other.hear("draft")).toEqual({ type: "draft", id, revision: 1, text: "one\ntwo\n3\n" });
  const { proposals } = await other.hear("proposals", ({ proposals: [one] }) => one?.added === 1);
  expect(proposals[0]).toMatchObject({ added: 1, removed: 0 });
  const texts = await visitor.get(`api/proposals/${id}`);
  expect(texts.json).toMatchObject({ draft: "one\ntwo\n3\n", revision: 1, proposed: "one\n" });
  other.say({ type: "accept", id, revision: 1, text: "one\ntwo\n3\n" });
  await page.hear("flush");
  page.say({ type: "flushed", id });
  await page.hear("proposals", (message) => message.proposals.length === 0);
  expect(page.heard.some(({ type }) => type === "draft")).toBe(false);
});

test("the page that types first edits the proposal: another one's draft is refused, and nobody's text changes", async () => {
  const { frontend, page, other, path } = await startWithPages(2);
  await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "draft", id, revision: 0, text: "first" });
  expect(await page.hear("draft-taken")).toEqual({ type: "draft-taken", id, revision: 1 });
  await other.hear("draft");
  other.say({ type: "draft", id, revision: 0, text: "second" });
  const refused = { type: "draft-refused", id, revision: 1, text: "first" };
  expect(await other.hear("draft-refused")).toEqual(refused);
  // Also when it has seen everything.
  other.say({ type: "draft", id, revision: 1, text: "third" });
  expect(await other.hear("draft-refused")).toEqual(refused);
  expect(page.heard.some(({ type }) => type === "draft")).toBe(false);
});

test("a page takes over with what the other had not sent yet, and a closed page edits nothing", async () => {
  const { frontend, page, other, path } = await startWithPages(2);
  await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  const name = (of: TestPage) => of.heard.flatMap((one) => (one.type === "welcome" ? [one.page] : []))[0];
  const isEditedIn =
    (page?: string) =>
    ({ proposals }: { proposals: readonly ProposalSummary[] }) =>
      proposals[0]?.editedIn === page;
  page.say({ type: "draft", id, revision: 0, text: "first" });
  await other.hear("proposals", isEditedIn(name(page)));
  other.say({ type: "edit", id });
  await page.hear("flush");
  page.say({ type: "draft", id, revision: 1, text: "first, and more" });
  page.say({ type: "flushed", id });
  expect(await other.hear("draft", ({ text }) => text.endsWith("more"))).toMatchObject({ revision: 2 });
  await page.hear("proposals", isEditedIn(name(other)));
  page.say({ type: "draft", id, revision: 2, text: "too late" });
  expect(await page.hear("draft-refused")).toMatchObject({ text: "first, and more" });
  await other.close();
  await page.hear("proposals", isEditedIn(undefined));
  page.say({ type: "draft", id, revision: 2, text: "mine again" });
  await page.hear("draft-taken");
});

test("what a page typed without its companion does not replace what another page has written meanwhile", async () => {
  const { frontend, visitor, page, path } = await startWithPages();
  await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  const away = await visitor.openPage("away");
  await away.close();
  page.say({ type: "draft", id, revision: 0, text: "written meanwhile" });
  await page.hear("draft-taken");
  await page.close();
  const back = await visitor.openPage("away");
  back.say({ type: "draft", id, revision: 0, text: "typed while away" });
  expect(await back.hear("draft-refused")).toMatchObject({ text: "written meanwhile" });
});

test("a text that another page has changed meanwhile is not accepted unseen", async () => {
  const { frontend, page, other, path } = await startWithPages(2);
  const { decisions } = await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "draft", id, revision: 0, text: "first" });
  await other.hear("draft");
  other.say({ type: "accept", id, revision: 1, text: "first" });
  await page.hear("flush");
  page.say({ type: "draft", id, revision: 1, text: "first, and more" });
  page.say({ type: "flushed", id });
  expect((await other.hear("refused")).reason).toContain("changed in another tab");
  expect(decisions).toEqual([]);
});

test("closing brings in what is still unsent in a page", async () => {
  const { frontend, page, path } = await startWithPages();
  const { proposal, drafts } = await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  const closing = closeInTerminal(frontend, proposal);
  await page.hear("flush");
  page.say({ type: "draft", id, revision: 0, text: "typed at the last moment" });
  page.say({ type: "flushed", id });
  expect(await closing).toBe("typed at the last moment");
  const { entries } = await page.hear("history", (message) => message.entries.length === 1);
  expect(entries[0]).toMatchObject({ text: "decided in the terminal" });
  expect(drafts).toEqual(["typed at the last moment"]);
});

test("a proposal that is closed at once is shown to no page, and the history still knows all of it", async () => {
  const { frontend, visitor, page, path } = await startWithPages();
  const { proposal } = await propose(frontend, path, "one\nTWO\nthree\n");
  expect(await closeInTerminal(frontend, proposal)).toBe("one\nTWO\nthree\n");
  const { entries } = await page.hear("history", (message) => message.entries[0]?.added === 2);
  writeFileSync(path, "one\nTWO\nthree\n");
  expect(entries).toMatchObject([{ label: "a.txt", removed: 1, text: "decided in the terminal" }]);
  expect((await visitor.get(`api/history/${entries[0]?.id}`)).json).toMatchObject({
    before: { kind: "text", text: "one\ntwo\n" },
    proposed: "one\nTWO\nthree\n",
  });
  expect(page.heard.filter(({ type }) => type === "flush")).toEqual([]);
  expect(page.heard.filter(({ type }) => type === "proposals")).toHaveLength(1); // when it was welcomed
});

test("a page that does not answer is waited for half a second", async () => {
  const { frontend, page, path } = await startWithPages();
  const { proposal } = await propose(frontend, path, "one\n");
  await waiting(page);
  const start = performance.now();
  expect(await frontend.editor.readDiff(proposal.id)).toBe("one\n");
  expect(performance.now() - start).toBeGreaterThan(490);
  await page.close();
  await eventually(() => expect(frontend.pages).toBe(0));
  const later = performance.now();
  expect(await frontend.editor.closeDiff(proposal.id, "agent")).toBe("one\n");
  expect(performance.now() - later).toBeLessThan(400);
});

test("a text typed while the diff was being closed elsewhere is handed in", async () => {
  const { frontend, page, path } = await startWithPages();
  const { proposal, drafts } = await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  const closing = closeInTerminal(frontend, proposal);
  await page.hear("flush");
  page.say({ type: "flushed", id });
  await closing;
  page.say({ type: "draft", id, revision: 0, text: "late" });
  await eventually(() => expect(drafts).toEqual(["late"]));
});

test("a page that opens receives recovered edits, reads their texts, and discards them", async () => {
  const { visitor, page, path, edits } = await startWithPages();
  const texts = { proposed: "one\n", text: "mine" };
  const added = edits.add({ filePath: path, agent: "Gemini CLI", reason: "It ended.", ...texts });
  await page.hear("edits", (message) => message.edits.length === 1);
  const later = await visitor.openPage();
  const { id, filePath, agent, at, reason } = added;
  const known = await later.hear("edits");
  expect(known.edits).toEqual([{ id, filePath, agent, at, reason, label: "a.txt" }]);
  expect((await visitor.get(`api/edits/${id}`)).json).toEqual({
    filePath: path,
    ...texts,
    onDisk: expect.objectContaining({ kind: "text", text: "one\ntwo\n" }),
  });
  later.say({ type: "discard-edits", id });
  await page.hear("edits", (message) => message.edits.length === 0);
  expect((await visitor.get(`api/edits/${id}`)).status).toBe(404);
  expect((await visitor.get("api/edits/..%2Fx")).status).toBe(404);
});

test("a text that only a page has outlasts the page, once", async () => {
  const { page, path, edits } = await startWithPages();
  const reason = "The change was being edited in another tab.";
  const loose = { agent: "Gemini CLI", filePath: path, reason, proposed: "one\n", text: "mine\n" };
  for (const keepId of ["a", "b"]) {
    page.say({ type: "keep-edits", keepId, ...loose });
    expect(await page.hear("edits-kept")).toEqual({ type: "edits-kept", keepId });
  }
  expect(edits.list()).toMatchObject([{ filePath: path, reason, agent: "Gemini CLI" }]);
  await page.hear("edits", (message) => message.edits.length === 1);
});

test("recovered edits are restored into the file that the user has seen, and into no other", async () => {
  const { page, visitor, path, edits } = await startWithPages();
  const known = { agent: "Gemini CLI", filePath: path, reason: "Why not.", proposed: "one\n" };
  const { id } = edits.add({ ...known, text: "mine\n" });
  page.say({ type: "restore-edits", id, stamp: "of another file" });
  expect((await page.hear("edits-restored")).trouble).toContain("changed since you looked at it");
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
  const { stamp } = (await visitor.get(`api/edits/${id}`)).json.onDisk;
  page.say({ type: "restore-edits", id, stamp });
  expect(await page.hear("edits-restored")).toEqual({ type: "edits-restored", id });
  expect(readFileSync(path, "utf8")).toBe("mine\n");
  expect(edits.list()).toEqual([]);
  page.say({ type: "restore-edits", id, stamp });
  expect((await page.hear("edits-restored")).trouble).toContain("no such recovered edits");
});

test("a change that is decided is read again: as it was, as proposed, as accepted, as on disk", async () => {
  const { frontend, visitor, page, path } = await startWithPages();
  await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "accept", id, revision: 0, text: "mine\n" });
  const { entries } = await page.hear("history", (message) => message.entries.length === 1);
  writeFileSync(path, "on disk\n");
  expect((await visitor.get(`api/history/${entries[0]?.id}`)).json).toMatchObject({
    filePath: path,
    before: { kind: "text", text: "one\ntwo\n" },
    proposed: "one\n",
    final: "mine\n",
    onDisk: { kind: "text", text: "on disk\n" },
  });
  expect((await visitor.get("api/history/unknown")).status).toBe(404);
});

test("the history says what became of the file and of the user's edits, also when they are discarded", async () => {
  const { frontend, page, path, edits } = await startWithPages();
  const { proposal } = await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "accept", id, revision: 0, text: "mine" });
  await page.hear("history", ({ entries }) => entries.length === 1);
  frontend.onEvent({ kind: "file-checked", proposal, result: "not-written" });
  const { agent, newContent: proposed } = proposal;
  const recovered = edits.add({ filePath: path, agent, reason: "It ended.", proposed, text: "mine" });
  frontend.onEvent({ kind: "edits-recovered", proposal, edits: recovered });
  await page.hear("history", ({ entries: [entry] }) => entry?.editsId === recovered.id);
  page.forgetPast();
  edits.discard(recovered.id);
  const { entries } = await page.hear("history", ({ entries: [entry] }) => entry?.editsId === undefined);
  expect(entries).toMatchObject([{ outcome: "accepted", fileResult: "not-written" }]);
});

test("a decision that is not taken leaves the diff open, with the user's text", async () => {
  const { frontend, visitor, page, path } = await startWithPages();
  const reason = "Gemini CLI does not take an empty text.";
  await propose(frontend, path, "one\n", { taken: false, reason });
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "accept", id, revision: 0, text: "" });
  expect(await page.hear("refused")).toEqual({ type: "refused", id, reason });
  expect((await visitor.get(`api/proposals/${id}`)).json).toMatchObject({ draft: "" });
});

test("a decision whose passing on fails is refused, and the frontend stands", async () => {
  const { frontend, page, path } = await startWithPages();
  await frontend.editor.openDiff(
    proposalOf(path, "one\n"),
    () => {
      throw new Error("the book is closed");
    },
    () => {},
  );
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "reject", id });
  expect((await page.hear("refused")).reason).toContain("the book is closed");
});

test("who accepts too late hears so, and keeps the edits", async () => {
  const { frontend, page, other, path } = await startWithPages(2);
  const { drafts } = await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "reject", id });
  await other.hear("history", ({ entries }) => entries.length === 1);
  other.say({ type: "accept", id, revision: 0, text: "mine" });
  expect((await other.hear("refused")).reason).toBe(
    "This change was settled before: rejected. Your text is among the recovered edits.",
  );
  expect(drafts).toEqual(["mine"]);
  other.say({ type: "reject", id });
  expect((await other.hear("refused")).reason).toBe("This change was settled before: rejected.");
});

test("a change of an earlier run is not taken for one of this run", async () => {
  const { frontend, page, path } = await startWithPages();
  const { decisions, proposal } = await propose(frontend, path, "one\n");
  await waiting(page);
  page.say({ type: "accept", id: `earlier.${proposal.id}`, revision: 0, text: "mine" });
  expect((await page.hear("refused")).reason).toContain("an earlier run");
  expect(decisions).toEqual([]);
});

test("a file that changes on disk reaches all who look at it, and its proposal still has the old text", async () => {
  const { frontend, visitor, page, other, path, root } = await startWithPages(2);
  const open = join(root, "open.txt");
  writeFileSync(open, "one");
  await visitor.readFile(open);
  other.say({ type: "watch", paths: [open] });
  await propose(frontend, path, "new\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  writeFileSync(path, "changed meanwhile\n");
  writeFileSync(open, "three");
  const { stamp } = await page.hear("changed", (message) => message.path === path);
  await other.hear("changed", (message) => message.path === path);
  await other.hear("changed", (message) => message.path === open);
  expect(page.heard.some((message) => message.type === "changed" && message.path === open)).toBe(false);
  const { original, diskStamp } = (await visitor.get(`api/proposals/${id}`)).json;
  expect(original.text).toBe("one\ntwo\n");
  expect(diskStamp).toBe(stamp);
  expect(original.stamp).not.toBe(stamp);
});

test("what the pages show is the context, and a reload does not flicker", async () => {
  const { frontend, visitor, path } = await startWithPages();
  const reported: EditorContext[] = [];
  frontend.editor.onContext((context) => reported.push(context));
  const files = [{ path, focusedAt: 7, cursor: { line: 1, character: 2 }, selectedText: "n" }];
  const before = await visitor.openPage("tab");
  before.say({ type: "context", files, activePath: path, focused: true });
  await eventually(() => expect(reported).toEqual([{ files, activePath: path }]));
  await before.close();
  const after = await visitor.openPage("tab");
  after.say({ type: "context", files, activePath: path, focused: true });
  await eventually(() => expect(reported).toHaveLength(2));
  expect(reported[1]).toEqual({ files, activePath: path });
});

test("who listens late hears what the page shows", async () => {
  const { frontend, page, path } = await startWithPages();
  const heard = vi.fn();
  frontend.editor.onContext(heard);
  page.say({ type: "context", files: [{ path, focusedAt: 1 }], focused: false });
  await eventually(() => expect(heard).toHaveBeenCalled());
  const late = vi.fn();
  frontend.editor.onContext(late);
  await eventually(() => expect(late).toHaveBeenCalledWith({ files: [{ path, focusedAt: 1 }] }));
});

test("what a page gets wrong is answered and cuts nothing", async () => {
  const { page } = await startWithPages();
  page.socket.send("{");
  page.socket.send(JSON.stringify({ type: "accept", id: 1 }));
  page.socket.send(Buffer.from([1, 2, 3]));
  for (let count = 0; count < 3; count += 1) {
    expect(await page.hear("notice")).toMatchObject({ level: "error" });
  }
  expect(page.socket.readyState).toBe(WebSocket.OPEN);
});

test("a warning waits for a page to open", async () => {
  const { frontend } = await startTestFrontend();
  frontend.onEvent({ kind: "warning", message: "Qwen Code ignores your edits." });
  const page = await (await admitVisitor(frontend)).openPage();
  expect(await page.hear("notice")).toMatchObject({
    level: "warning",
    text: "Qwen Code ignores your edits.",
  });
});

test("pages are counted as they come and go", async () => {
  const { frontend } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  const counts: number[] = [];
  const stop = frontend.onPages((count) => counts.push(count));
  const page = await visitor.openPage();
  const other = await visitor.openPage();
  await eventually(() => expect(counts).toEqual([1, 2]));
  await page.close();
  await eventually(() => expect(counts).toEqual([1, 2, 1]));
  stop();
  await other.close();
  await eventually(() => expect(frontend.pages).toBe(0));
  expect(counts).toEqual([1, 2, 1]);
});

test("closing ends pages within a second, even one that does not answer, and is done once", async () => {
  const { frontend, page, other } = await startWithPages(2);
  page.socket.pause();
  const closed = once(other.socket, "close");
  const start = performance.now();
  await Promise.all([frontend.close(), frontend.close()]);
  expect(performance.now() - start).toBeLessThan(1000);
  expect((await closed)[0]).toBe(1001);
});

test("other roots are sent, and labels follow them", async () => {
  const { frontend, root, page, path } = await startWithPages();
  await propose(frontend, path, "one\n");
  await waiting(page);
  const other = privateFolder();
  frontend.setRoots([other]);
  expect(await page.hear("roots")).toEqual({ type: "roots", roots: [other] });
  const { proposals } = await page.hear(
    "proposals",
    (message) => message.proposals[0]?.outsideRoots === true,
  );
  expect(proposals[0]?.label).toBe(path);
  expect(root).not.toBe(other);
});

test("a file that an agent wants to be seen goes to the page that was looked at last", async () => {
  const { frontend, page, other, path } = await startWithPages(2);
  const shown: EditorContext[] = [];
  frontend.editor.onContext((context) => shown.push(context));
  for (const each of [other, page, other]) {
    const [count, view] = [shown.length, { files: [], focused: true }];
    each.say({ type: "context", ...view });
    await eventually(() => expect(shown.length).toBeGreaterThan(count));
  }
  await frontend.editor.openFile?.({ path, line: 2, character: 3 });
  expect(await other.hear("show")).toEqual({ type: "show", path, line: 2, character: 3 });
  expect(page.heard.some(({ type }) => type === "show")).toBe(false);
});

test("a file is not shown outside of the folders, nor where there is no page", async () => {
  const { frontend, root } = await startTestFrontend();
  const path = join(root, "a.txt");
  writeFileSync(path, "one\n");
  await expect(frontend.editor.openFile?.({ path: "/etc/passwd" })).rejects.toThrow("outside of the folders");
  await expect(frontend.editor.openFile?.({ path })).rejects.toThrow("no page is open in a browser");
});
