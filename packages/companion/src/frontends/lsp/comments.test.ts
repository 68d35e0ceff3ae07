import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createLspClient } from "./testing/lsp-client.ts";

const comment = { side: "proposed", startLine: 1, endLine: 2, text: "why two?" };
const message = (file: string) =>
  `I rejected your change. My comments:\n\n@${file}:1-2\n> one\n> two\nwhy two?`;

/** A plugin that shows one proposal of an agent whose prompt cannot be reached. */
async function startPlugin() {
  const client = createLspClient();
  client.connection.onRequest("companion/openDiff", () => null);
  client.connection.onRequest("companion/closeDiff", () => ({ content: "one\ntwo\n" }));
  await client.start({ capabilities: { experimental: { ideCompanion: { version: 1 } } } });
  const agent = await client.agent();
  const filePath = path.join(client.root, "a");
  await agent.call("openDiff", { filePath, newContent: "one\ntwo\n" });
  const [id] = await client.waiting();
  const list = () =>
    client.connection.sendRequest<{ rows: object[] }>("companion/list", { list: "comments" });
  return {
    client,
    agent,
    filePath,
    proposal: { id },
    list,
    ask: client.connection.sendRequest.bind(client.connection),
  };
}

test("comments that a plugin sends with a decision come back as a message when no prompt can be reached", async () => {
  const { client, filePath, proposal, ask, list } = await startPlugin();
  await ask("companion/comment", { ...proposal, ...comment });
  await ask("companion/diffRejected", { ...proposal, withComments: true });
  const { row, ...news } = await client.hears("companion/news");
  expect(news).toEqual({
    severity: "info",
    text: "Your comments on a are {place}: paste them into Gemini CLI",
    copy: message(filePath),
  });
  expect(row).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}$/),
    agent: "Gemini CLI",
    filePath,
    label: "a",
    at: expect.any(Number),
    text: "The prompt of Gemini CLI could not be reached.",
    detail: message(filePath),
    actions: [
      { code: "send", name: "puts them into the agent's prompt" },
      { code: "copy", name: "copies them" },
      { code: "discard", name: "discards them" },
    ],
  });
  expect((await list()).rows).toEqual([row]);
  const { id } = Object(row);
  const act = (action: string, more = {}) => ask("companion/act", { list: "comments", id, action, ...more });
  expect(await act("send")).toEqual({ message: news.text, copy: news.copy });
  expect((await list()).rows).toEqual([row]);
  expect(await act("discard")).toEqual({
    ask: { question: "Discard your comments on a for good?", yes: "Discard" },
  });
  const discarded = { message: "Discarded: your comments on a.", removed: true };
  expect(await act("discard", { sure: true })).toEqual(discarded);
  expect((await list()).rows).toEqual([]);
  await expect(act("discard")).rejects.toThrow("There are no such comments any more.");
});

test("comments that a plugin has saved wait for their user when the agent closes the change", async () => {
  const { client, agent, filePath, proposal, list, ask } = await startPlugin();
  await ask("companion/comment", { ...proposal, ...comment });
  expect((await list()).rows).toEqual([]);
  await agent.call("closeDiff", { filePath });
  expect(await client.hears("companion/news")).toMatchObject({
    severity: "warning",
    list: "comments",
    text: "Your comments on a wait: Gemini CLI closed the change, as when you decide in its terminal.",
  });
});

test("comments follow the lines that they are on, until they are changed or deleted", async () => {
  const { proposal, ask } = await startPlugin();
  const write = (more: object) =>
    ask<{ comments: { id: string }[] }>("companion/comment", { ...proposal, side: "proposed", ...more });
  const draft = (content: string) => ask("companion/draft", { ...proposal, content });
  const { comments: first } = await write({ startLine: 2, endLine: 2, text: "why two?" });
  const [{ id } = { id: "" }] = first;
  await write({ startLine: 0, endLine: 0, text: "too much" });
  const onAll = {
    ...{ id: expect.any(String), side: "proposed" },
    startLine: 0,
    endLine: 0,
    text: "too much",
    across: 0,
  };
  const lines = (startLine: number, endLine = startLine) => ({
    comments: [{ ...{ id, side: "proposed", text: "why two?" }, startLine, endLine }, onAll],
  });
  expect(await draft("new\none\nTWO\n")).toMatchObject(lines(3));
  expect(await draft("TWO\n")).toMatchObject(lines(1));
  expect(await draft("")).toMatchObject({ comments: [{ text: "why two?" }, onAll] });
  expect(await draft("one\ntwo\nthree\nfour\n")).toMatchObject({ comments: [{ id }, onAll] });
  await write({ comment: id, startLine: 2, endLine: 4, text: "and why four?" });
  // The first line of it and the last one go, and the one above it.
  expect(await draft("three\n")).toMatchObject({
    comments: [onAll, { id, startLine: 1, endLine: 1, text: "and why four?" }],
  });
  expect(await write({ comment: id, startLine: 1, endLine: 1, text: "" })).toEqual({ comments: [onAll] });
});

test("a plugin hears which line of the other text is next to a comment, also when the file changes", async () => {
  const client = createLspClient();
  const filePath = path.join(client.root, "a");
  writeFileSync(filePath, "a\nb\nc\n");
  client.connection.onRequest("companion/openDiff", () => null);
  client.connection.onRequest("companion/readDiff", () => ({ content: "a\nx\ny\nc\n" }));
  client.connection.onRequest("companion/updateDiff", ({ content }) => ({ content }));
  await client.start({ capabilities: { experimental: { ideCompanion: { version: 1 } } } });
  await (await client.agent()).call("openDiff", { filePath, newContent: "a\nx\ny\nc\n" });
  const [id] = await client.waiting();
  const places = [
    ["proposed", 3],
    ["proposed", 4],
    ["original", 2],
    ["original", 3],
  ] as const;
  let shown: unknown;
  for (const [side, line] of places) {
    const params = { id, side, startLine: line, endLine: line, text: "why?" };
    shown = await client.connection.sendRequest("companion/comment", params);
  }
  expect(shown).toMatchObject({
    comments: [{ across: 2 }, { across: 3 }, { across: 2 }, { across: 4 }],
  });
  writeFileSync(filePath, "0\na\nb\nc\n");
  const isMoved = ({ comments }: Record<string, unknown>) => JSON.stringify(comments).includes('"across":5');
  expect(await client.hears("companion/comments", isMoved)).toMatchObject({
    comments: [{ across: 3 }, { across: 4 }, { across: 3 }, { across: 5 }],
  });
});

test("a comment on what waits no more is not taken", async () => {
  const { agent, filePath, proposal, ask } = await startPlugin();
  await agent.call("closeDiff", { filePath });
  expect(await ask("companion/comment", { ...proposal, ...comment })).toBeNull();
});
