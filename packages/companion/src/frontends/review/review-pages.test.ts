import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import type { EditorContext } from "../../core/editor.ts";
import { ReviewModes } from "../../core/written/review-mode.ts";
import { admitVisitor, propose, startTestFrontend, startWithPages, waiting } from "./testing/visitor.ts";

test("a page is welcomed with all there is", async () => {
  const { frontend, root, page } = await startWithPages();
  const session = { id: "s", agent: "Gemini CLI", client: { name: "gemini", version: "1" }, connectedAt: 5 };
  expect(page.heard[0]).toMatchObject({ type: "welcome", roots: [root] });
  const names = page.heard.slice(0, 6).map((one) => (one.type === "list" ? one.list : one.type));
  expect(names).toEqual(["welcome", "status", "proposals", "edits", "comments", "history"]);
  const nothing = { type: "status", sessions: [], turns: [], context: { files: [] } };
  const review = [{ mode: "after", agents: expect.arrayContaining(["Gemini CLI", "Qwen Code"]) }];
  expect(page.heard[1]).toEqual({ ...nothing, excluded: [], paused: false, review });
  frontend.onEvent({ kind: "session-opened", session });
  await page.hear("status", ({ sessions }) => sessions[0]?.streaming === false);
  frontend.onEvent({ kind: "stream-opened", session });
  const streaming = await page.hear("status", ({ sessions }) => sessions[0]?.streaming === true);
  expect(streaming.sessions).toEqual([{ ...session, streaming: true }]);
  const context = { files: [{ path: join(root, "a.txt"), focusedAt: 7 }] };
  frontend.onEvent({ kind: "context-sent", context, sessions: 1 });
  const sent = await page.hear("status", (status) => status.context.files.length > 0);
  expect(sent).toEqual({ ...streaming, context });
  const withheld = { isPaused: true, excluded: [join(root, ".env")] };
  frontend.onEvent({ kind: "sharing-changed", withheld, wasPaused: false });
  const paused = await page.hear("status", (status) => status.paused);
  expect(paused).toEqual({ ...sent, excluded: [join(root, ".env")], paused: true });
  frontend.onEvent({ kind: "session-closed", session, reason: "gone" });
  await page.hear("status", ({ sessions }) => sessions.length === 0);
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

test("a page sets when its user reviews what agents write, and hears of others who do", async () => {
  const { frontend, root, host } = await startTestFrontend();
  const page = await (await admitVisitor(frontend)).openPage();
  const modesOf = ({ review }: { readonly review: readonly { readonly mode: string }[] }) =>
    review.map(({ mode }) => mode).join();
  page.say({ type: "review", mode: "before" });
  await page.hear("status", (status) => modesOf(status) === "before");
  new ReviewModes(host).set(root, "off", ["codex"]);
  const { review } = await page.hear("status", (status) => modesOf(status) === "before,off");
  expect(review[1]).toEqual({ mode: "off", agents: ["Codex CLI"] });
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

test("a file that changes on disk reaches who looks at it", async () => {
  const { visitor, page, other, root } = await startWithPages(2);
  const open = join(root, "open.txt");
  writeFileSync(open, "one");
  await visitor.readFile(open);
  other.say({ type: "watch", paths: [open] });
  writeFileSync(open, "three");
  await other.hear("changed", (message) => message.path === open);
  expect(page.heard.some((message) => message.type === "changed")).toBe(false);
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
  page.socket.send(JSON.stringify({ type: "diffAccepted", id: 1 }));
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

// A socket that is closed in peace waits 30 s for the other side.
test("closing waits for no page that does not answer, and is done once", { timeout: 20_000 }, async () => {
  const { frontend, page, other } = await startWithPages(2);
  page.socket.pause();
  const closed = once(other.socket, "close");
  await Promise.all([frontend.close(), frontend.close()]);
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

test("decisions from before the first page are in the history once, also those from before the companion", async () => {
  const { frontend, root, pastDecisions } = await startTestFrontend();
  const path = join(root, "a.txt");
  const earlier = {
    at: 1,
    agent: "Gemini CLI",
    filePath: path,
    outcome: "rejected",
    code: "rejected",
  } as const;
  pastDecisions.write({ ...earlier, id: pastDecisions.newId() }, false);
  const { proposal } = await propose(frontend, path, "two\n");
  frontend.onEvent({ kind: "diff-settled", proposal, settlement: { kind: "rejected", by: "user" } });
  const page = await (await admitVisitor(frontend)).openPage();
  const entries = await page.list("history", (listed) => listed.length > 1);
  expect(entries.map(({ proposalId }) => proposalId)).toEqual([expect.any(String), undefined]);
});
