import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { createLspClient } from "./testing/lsp-client.ts";

vi.setConfig({ testTimeout: 20_000 });

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
  const ask = (method: string, params: object) => client.connection.sendRequest<never>(method, params);
  const propose = (name: string, newContent: string) =>
    agent.call("openDiff", { filePath: path.join(client.root, name), newContent });
  return { client, agent, ask, propose };
}

test("a plugin sees which turn its proposals belong to, accepts the rest of it ahead, and calls that off", async () => {
  const { client, agent, ask, propose } = await startPlugin();
  const stream = await agent.openStream();
  await propose("a.txt", "a");
  await propose("b.lock", "b");
  const hearsTurns = (turns: object) =>
    client.hears("companion/status", (status) => {
      try {
        expect(status.turns).toEqual([turns]);
        return true;
      } catch {
        return false;
      }
    });
  const turn = { id: "1", agent: "Gemini CLI" };
  await hearsTurns({ ...turn, waiting: ["1", "2"], decided: 0 });
  expect(await ask("companion/acceptRest", { turn: "1", stopAt: ["*.lock"] })).toBeNull();
  const accepted = await stream.method("ide/diffAccepted");
  expect(accepted.params).toEqual({ filePath: path.join(client.root, "a.txt"), content: "a" });
  const ahead = { stopAt: ["*.lock"], accepted: 1 };
  await hearsTurns({ ...turn, waiting: ["2"], decided: 1, ahead });
  await ask("companion/stopAccepting", { turn: "1" });
  await hearsTurns({ ...turn, waiting: ["2"], decided: 1 });
});

test("a plugin lists what was decided, reads it, and gets the file without the change and what came since", async () => {
  const { client, ask, propose } = await startPlugin();
  const filePath = path.join(client.root, "a.txt");
  writeFileSync(filePath, "one\ntwo\nthree\nfour\nfive\n");
  await propose("a.txt", "one\n2nd\nthree\nfour\nfive\n");
  const content = "one\n2nd!\nthree\nfour\nfive\n";
  await ask("companion/diffAccepted", { id: "1", content });
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
        before: { name: "Before", text: "one\ntwo\nthree\nfour\nfive\n" },
        after: { name: "Gemini CLI", text: content },
        patch: expect.stringContaining("-two\n+2nd!\n"),
      },
    }),
  );
  writeFileSync(filePath, `${content}six\n`);
  const what = "the file without the change";
  expect(await act("undo")).toEqual({
    put: { filePath, content: "one\ntwo\nthree\nfour\nfive\nsix\n", what, onlySaved: true },
  });
  expect(readFileSync(filePath, "utf8")).toBe(`${content}six\n`);
  expect(await act("reapply")).toEqual({ message: "The file is so already." });
  writeFileSync(filePath, "another text\n");
  expect(await act("undo")).toEqual({
    message: "The file has changed since in the same places: undo it by hand.",
  });
  await expect(act("show", "0")).rejects.toThrow("There is no such decision any more.");
});
