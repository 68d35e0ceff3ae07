import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { admitVisitor } from "../review/testing/visitor.ts";
import { createLspClient } from "./testing/lsp-client.ts";

interface Update {
  readonly id: string;
  readonly seen: string;
  readonly content: string;
}

/** An editor whose plugin shows a change of `a.txt`, and the review page that its user opens next to it. */
async function openBoth() {
  const client = createLspClient();
  const { connection } = client;
  const plugin = { id: "", text: "", isTyping: false, closed: [] as string[] };
  connection.onRequest("companion/openDiff", ({ id, newContent }) => {
    Object.assign(plugin, { id, text: newContent });
    return null;
  });
  connection.onRequest("companion/readDiff", () => ({ content: plugin.text }));
  connection.onRequest("companion/updateDiff", ({ seen, content }: Update) => {
    if (seen === plugin.text && !plugin.isTyping) plugin.text = content;
    return { content: plugin.text };
  });
  connection.onRequest("companion/closeDiff", ({ words }) => {
    plugin.closed.push(words);
    return { content: plugin.text };
  });
  await client.start({ capabilities: { experimental: { ideCompanion: { version: 1, comments: true } } } });
  const filePath = path.join(client.root, "a.txt");
  writeFileSync(filePath, "one\ntwo\nthree\n");
  const agent = await client.agent();
  const stream = await agent.openStream();
  await agent.call("openDiff", { filePath, newContent: "one\nTWO\nthree\n" });
  expect(await connection.sendRequest("companion/openPage", {})).toEqual({
    message: "The page opens in your browser. If not, ask once more for a link.",
  });
  const [link = ""] = client.links;
  const visitor = await admitVisitor({ url: new URL("/", link).href, newLink: () => link });
  const page = await visitor.openPage();
  const { id } = plugin;
  await page.hear("proposals", ({ proposals }) => proposals.some((one) => one.id === id));
  /** What a page that opens now shows. */
  const onPage = async (): Promise<{ draft?: string; proposed: string; revision: number }> =>
    (await visitor.get(`api/proposals/${id}`)).json;
  const type = async (content: string) => {
    plugin.text = content;
    await connection.sendRequest("companion/draft", { id, content });
  };
  return { client, stream, filePath, plugin, page, id, onPage, type };
}

test("where no browser comes, the page's link is there to read", async () => {
  const client = createLspClient();
  await client.start({ capabilities: { experimental: { ideCompanion: { version: 1 } } } });
  const ask = () => client.connection.sendRequest("companion/openPage", {});
  expect(await ask()).toMatchObject({ message: expect.stringMatching(/^The page opens/) });
  expect(await ask()).toEqual({
    message: "The link to the page, which works once, is {place}.",
    copy: expect.stringMatching(/^http:\S+$/),
  });
});

test("a change is live in the editor and on the page: what is typed in one is in the other", async () => {
  const { plugin, page, id, type, onPage } = await openBoth();
  await type("zero\none\nTWO\nthree\n");
  const { revision } = await page.hear("draft", ({ content }) => content === "zero\none\nTWO\nthree\n");
  page.say({ type: "draft", id, revision, content: "zero\none\nTWO\nthree\nfour\n" });
  await eventually(() => expect(plugin.text).toBe("zero\none\nTWO\nthree\nfour\n"));
  expect((await onPage()).draft).toBe("zero\none\nTWO\nthree\nfour\n");
});

test("what is typed in both at once is in both, also in the same line", async () => {
  const { plugin, page, id, type, onPage } = await openBoth();
  const { revision } = await onPage();
  plugin.isTyping = true;
  await page.ask({ type: "draft", id, revision, content: "one\nTWO\nthree\nthe page's\n" });
  await type("the editor's\none\nTWO\nthree\n");
  await type("the editor's\none\nTWO\nthree, here\n");
  plugin.isTyping = false;
  const united = "the editor's\none\nTWO\nthree, here\nthe page's\n";
  await eventually(() => expect(plugin.text).toBe(united));
  await eventually(async () => expect((await onPage()).draft).toBe(united));
});

test("a change that is decided on the page leaves the editor, with its text for the agent", async () => {
  const { stream, plugin, page, id, type } = await openBoth();
  await type("mine\n");
  const { revision } = await page.hear("draft", ({ content }) => content === "mine\n");
  page.say({ type: "diffAccepted", id, revision, content: "mine\n" });
  expect(await stream.method("ide/diffAccepted")).toMatchObject({ params: { content: "mine\n" } });
  await eventually(() =>
    expect(plugin.closed).toEqual(["The change of Gemini CLI is decided on the review page"]),
  );
});

test("a change that is decided in the editor leaves the page", async () => {
  const { client, page, id } = await openBoth();
  await client.connection.sendRequest("companion/diffRejected", { id });
  await page.hear("proposals", ({ proposals }) => proposals.length === 0);
});

test("an acceptance counts only of the text that its editor shows", async () => {
  const { client, plugin, page, id, onPage } = await openBoth();
  plugin.isTyping = true;
  const { revision } = await onPage();
  await page.ask({ type: "draft", id, revision, content: "one\nTWO\nthree\nmore\n" });
  const accept = () => client.connection.sendRequest("companion/diffAccepted", { id, content: plugin.text });
  expect(await accept()).toMatchObject({ taken: false, code: "text-changed" });
  plugin.isTyping = false;
  await eventually(() => expect(plugin.text).toContain("more"));
  expect(await accept()).toMatchObject({ taken: true });
});

test("what changes on disk comes into both", async () => {
  const { plugin, page, filePath } = await openBoth();
  writeFileSync(filePath, "one\ntwo\nthree\non disk\n");
  await page.hear("draft", ({ content }) => content === "one\nTWO\nthree\non disk\n");
  await eventually(() => expect(plugin.text).toBe("one\nTWO\nthree\non disk\n"));
});

test("a comment follows its line through what was typed just before the file changed", async () => {
  const { client, plugin, id, filePath } = await openBoth();
  const comment = { side: "proposed", startLine: 2, endLine: 2, text: "why?" };
  await client.connection.sendRequest("companion/comment", { id, ...comment });
  plugin.text = `zero\n${plugin.text}`;
  writeFileSync(filePath, "one\ntwo\nthree\non disk\n");
  expect(await client.hears("companion/comments")).toMatchObject({
    comments: [{ ...comment, startLine: 3, endLine: 3 }],
  });
});

test("a comment from the page is in the editor, and deleted in one it goes from the other", async () => {
  const { client, page, id } = await openBoth();
  const comment = (name: string, more = {}) => ({
    ...{ id: name, side: "proposed" as const, startLine: 2, endLine: 2, quote: "TWO", text: name, ...more },
  });
  const say = (...comments: ReturnType<typeof comment>[]) => page.say({ type: "comments", id, comments });
  const onWhole = comment("whole", { startLine: 0, endLine: 0, quote: "" });
  const updates = () => client.reported.filter(({ method }) => method === "companion/comments");
  const shown = (...comments: ReturnType<typeof comment>[]) => ({
    id,
    comments: comments.map(({ quote: _, ...one }) => ({ ...one, across: one.endLine })),
  });
  say(comment("a"), comment("b"), onWhole);
  await eventually(() => expect(updates()).toHaveLength(1));
  expect(updates()[0]?.params).toEqual(shown(comment("a"), comment("b"), onWhole));
  const { side, startLine, endLine } = comment("a");
  const deletion = { comment: "a", side, startLine, endLine, text: "" };
  await client.connection.sendRequest("companion/comment", { id, ...deletion });
  await page.hear("comments", ({ comments }) => comments.map((one) => one.id).join() === "b,whole");
  say(onWhole);
  await eventually(() => expect(updates()).toHaveLength(2));
  expect(updates()[1]?.params).toEqual(shown(onWhole));
});

test("comments from the editor and from the page both reach the agent", async () => {
  const { client, stream, page, id } = await openBoth();
  const comment = (name: string) => ({
    ...{ id: name, side: "proposed" as const, startLine: 2, endLine: 2, quote: "TWO", text: name },
  });
  const { id: _, quote, ...ofEditor } = comment("from the editor");
  await client.connection.sendRequest("companion/comment", { id, ...ofEditor });
  const heard = await page.hear("comments", ({ comments }) =>
    comments.some(({ text }) => text === ofEditor.text),
  );
  expect(heard.comments[0]?.quote).toBe(quote);
  const comments = [...heard.comments, comment("from the page")];
  page.say({ type: "comments", id, comments });
  page.say({ type: "diffRejected", id, comments });
  await stream.method("ide/diffRejected");
  await eventually(async () => {
    const answer = await client.connection.sendRequest("companion/list", { list: "comments" });
    expect(JSON.stringify(answer)).toMatch(/from the editor.*from the page/);
  });
});
