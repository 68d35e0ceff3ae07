import path from "node:path";
import { expect, test } from "vitest";
import { createLspClient } from "./testing/lsp-client.ts";

const comment = { id: "c1", side: "proposed", startLine: 1, endLine: 2, quote: "one\ntwo", text: "why two?" };
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
  client.connection.sendNotification("companion/comments", { ...proposal, comments: [comment] });
  await ask("companion/diffRejected", { ...proposal, comments: [comment] });
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
  const { client, agent, filePath, proposal, list } = await startPlugin();
  client.connection.sendNotification("companion/comments", { ...proposal, comments: [comment] });
  // Messages are taken in their order: by its answer they are saved.
  expect((await list()).rows).toEqual([]);
  await agent.call("closeDiff", { filePath });
  expect(await client.hears("companion/news")).toMatchObject({
    severity: "warning",
    list: "comments",
    text: "Your comments on a wait: Gemini CLI closed the change, as when you decide in its terminal.",
  });
});
