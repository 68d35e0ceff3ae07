import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../testkit/src/eventually.ts";
import { startCompanion } from "../companion.ts";
import { createLspClient } from "../frontends/lsp/testing/lsp-client.ts";
import { startPlainClient } from "../frontends/lsp/testing/plain-client.ts";
import { admitVisitor, startTestFrontend } from "../frontends/review/testing/visitor.ts";
import type { Host } from "../system/host.ts";
import { privateHost, startCore } from "../testing/core.ts";
import { toyFamily } from "../testing/toy-family.ts";
import { families } from "./families.ts";

const both = [...families, toyFamily];

/** The toy's CLI: it finds the companion by the lock file, and its calls wait. */
async function connectToy({ home }: Host) {
  const folder = join(home, ".toy");
  const lock = await eventually(() => join(folder, readdirSync(folder)[0] ?? "none"));
  const { port, token } = JSON.parse(readFileSync(lock, "utf8"));
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { headers: { "x-toy": token } });
  onTestFinished(() => socket.terminate());
  const heard: Record<string, unknown>[] = [];
  socket.on("message", (data) => heard.push(JSON.parse(String(data))));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return {
    socket,
    heard,
    /** Resolves once it has received this selection. */
    sees: (selection: object) =>
      eventually(() =>
        expect(heard).toContainEqual({ jsonrpc: "2.0", method: "eyes_on", params: selection }),
      ),
    /** Answered once the user has decided. */
    async review(path: string, text: string): Promise<unknown> {
      const id = `call ${heard.length}`;
      const params = { tab: `tab of ${path}`, path, text };
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method: "review_file", params }));
      return eventually(() => {
        const answer = heard.find((message) => message.id === id);
        if (!answer) throw new Error("the call waits");
        return answer.result ?? answer.error;
      });
    },
  };
}

describe("an agent with another transport, lock file and tools, whose call waits for the user", () => {
  test("reviews in an editor in this process, sees selections, and hears of the end", async () => {
    const { editor, companion, host, root, events, client } = await startCore({ families: both });
    const toy = await connectToy(host);
    const file = join(root, "a.txt");
    writeFileSync(file, "old");
    const selection = { start: { line: 1, character: 1 }, end: { line: 1, character: 4 } };
    editor.look({ files: [{ path: file, focusedAt: 1, selectedText: "old", selection }], activePath: file });
    await toy.sees(selection);
    const answer = toy.review(file, "new");
    await eventually(() => editor.find(file));
    editor.edit(file, "new, edited");
    expect(editor.accept(file)).toEqual({ taken: true });
    expect(await answer).toEqual({ kind: "accepted", content: "new, edited" });
    expect(await toy.review("not/absolute", "x")).toMatchObject({ code: -32603 });
    // The agents of another family are served as well, and neither hears of the other.
    const gemini = await client("gemini").initialize();
    await gemini.call("openDiff", { filePath: file, newContent: "of another" });
    expect(editor.find(file).proposal.agent).toBe("Gemini CLI");
    toy.socket.close();
    await eventually(() =>
      expect(events).toContainEqual(expect.objectContaining({ kind: "session-closed" })),
    );
    expect(editor.diffs.size).toBe(1);
    await companion.close();
    expect(readdirSync(join(host.home, ".toy"))).toEqual([]);
  });

  test("reviews in an editor with a plugin", async () => {
    const client = createLspClient({ families: both });
    const shown: { id: string; agent: string }[] = [];
    client.connection.onRequest("companion/openDiff", (params) => {
      shown.push(params);
      return null;
    });
    await client.start({ capabilities: { experimental: { ideCompanion: { version: 1 } } } });
    const mention = { path: join(client.root, "a.txt") };
    const send = () => client.connection.sendRequest("companion/mention", mention);
    expect(await send()).toEqual({});
    const toy = await connectToy(client.host);
    await eventually(async () => expect(await send()).toEqual({ agent: "Toy" }));
    await eventually(() =>
      expect(toy.heard).toContainEqual({ jsonrpc: "2.0", method: "mentioned", params: mention }),
    );
    const file = join(client.root, "a.txt");
    writeFileSync(file, "old");
    const selection = { start: { line: 1, character: 1 }, end: { line: 1, character: 4 } };
    await client.connection.sendNotification("companion/context", {
      files: [{ path: file, focusedAt: 1, selectedText: "old", selection }],
      activePath: file,
    });
    await toy.sees(selection);
    const answer = toy.review(file, "new");
    await eventually(() => expect(shown).toMatchObject([{ agent: "Toy" }]));
    await client.connection.sendRequest("companion/diffRejected", { id: shown[0]?.id });
    expect(await answer).toEqual({ kind: "rejected" });
  });

  test("reviews in an editor that speaks LSP alone", async () => {
    const client = await startPlainClient({ families: both });
    const toy = await connectToy(client.host);
    const file = join(client.root, "a.txt");
    writeFileSync(file, "😀one\ntwo\n");
    await client.open(file);
    // A line ends before its line break, wherever the editor says that it does.
    await client.actions(file, { start: { line: 0, character: 2 }, end: { line: 1, character: 99 } });
    await toy.sees({ start: { line: 1, character: 3 }, end: { line: 2, character: 4 } });
    const wholeLine = { start: { line: 0, character: 2 }, end: { line: 1, character: 0 } };
    const [share] = await client.actions(file, wholeLine);
    await client.run(share?.command);
    const message = "The prompt of Toy has a reference to a.txt, line 1.";
    await client.hears("window/showMessage", (params) => params.message === message);
    const range = { start: { line: 1, character: 1 }, end: { line: 2, character: 1 } };
    expect(toy.heard).toContainEqual({
      jsonrpc: "2.0",
      method: "mentioned",
      params: { path: file, range },
    });
    const answer = toy.review(file, "new\n");
    const proposal = await eventually(() => {
      const [path] = client.shown;
      if (path === undefined) throw new Error("nothing is shown");
      return path;
    });
    const [accept] = await client.lenses(proposal);
    await client.run(accept?.command);
    expect(await answer).toEqual({ kind: "accepted", content: "new\n" });
  });

  test("reviews in the page", async () => {
    const { frontend, root } = await startTestFrontend();
    const host = privateHost();
    const { editor, onEvent } = frontend;
    const companion = await startCompanion({ editor, roots: [root], host, onEvent, families: both });
    onTestFinished(() => companion.close());
    const page = await (await admitVisitor(frontend)).openPage();
    const toy = await connectToy(host);
    const file = join(root, "a.txt");
    writeFileSync(file, "old");
    const selection = { start: { line: 1, character: 1 }, end: { line: 1, character: 4 } };
    const files = [{ path: file, focusedAt: 1, selectedText: "old", selection }];
    page.say({ type: "context", files, activePath: file, focused: true });
    await toy.sees(selection);
    const answer = toy.review(file, "new");
    const { proposals } = await page.hear("proposals", (message) => message.proposals.length === 1);
    expect(proposals).toMatchObject([{ agent: "Toy" }]);
    page.say({ type: "reject", id: proposals[0]?.id ?? "" });
    expect(await answer).toEqual({ kind: "rejected" });
  });
});
