import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../../testkit/src/eventually.ts";
import type { AgentFamily } from "../../../agents/family.ts";
import { geminiFamily } from "../../../agents/gemini-family/family.ts";
import { ReviewModes } from "../../../core/written/review-mode.ts";
import { fullCapabilities, type PlainClient, startPlainClient } from "../testing/plain-client.ts";

const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** An agent proposes a new file. */
async function propose(client: PlainClient, name = "a.txt") {
  const filePath = path.join(client.root, name);
  const agent = await client.agent();
  const stream = await agent.openStream();
  const { result } = await agent.call("openDiff", { filePath, newContent: "1\n" });
  expect(result).toEqual({ content: [] });
  return { agent, stream, filePath };
}

const reported = (client: PlainClient, wanted: RegExp) =>
  client.hears("window/showMessage", ({ message }) => wanted.test(String(message)));

describe("an editor that promises more than it does", () => {
  test("never answers whether it shows a document: the review page has the proposal", async () => {
    const client = await startPlainClient();
    client.connection.onRequest("window/showDocument", () => new Promise(() => {}));
    await propose(client);
    await reported(client, /Review it at http:/);
  });

  test("shows a document and tells nothing of it: the choices are in the message", async () => {
    const client = await startPlainClient();
    client.connection.onRequest("window/showDocument", () => ({ success: true }));
    client.connection.onRequest("window/showMessageRequest", ({ actions }) => actions[1]);
    const { stream } = await propose(client);
    await stream.method("ide/diffRejected");
    expect(client.links).toEqual([]);
  });

  test("shows a document, tells nothing of it and has no choices: the review page has the proposal", async () => {
    const client = await startPlainClient({ capabilities: { window: { showDocument: { support: true } } } });
    client.connection.onRequest("window/showDocument", () => ({ success: true }));
    await propose(client);
    await reported(client, /Review it at http:/);
  });

  test("does not know messages with choices: the message says where they are", async () => {
    const client = await startPlainClient();
    client.connection.onRequest("window/showMessageRequest", () => {
      throw new Error("unknown method");
    });
    await propose(client);
    await reported(client, /proposes a.txt \+1 −0\. Accept or reject it by a code action\./);
  });

  test("answers messages with choices without showing them: the next one is not asked for", async () => {
    const client = await startPlainClient();
    let asked = 0;
    client.connection.onRequest("window/showMessageRequest", () => {
      asked += 1;
      return null;
    });
    await propose(client, "one.txt");
    await reported(client, /proposes one.txt \+1 −0\. Accept or reject it by a code action\./);
    await propose(client, "two.txt");
    await reported(client, /proposes two.txt \+1 −0\. Accept or reject it by a code action\./);
    expect(asked).toBe(1);
  });

  test("keeps the document of a decided proposal: the user reads how to close it", async () => {
    const client = await startPlainClient();
    client.connection.onRequest("workspace/applyEdit", () => ({ applied: false }));
    await propose(client);
    await client.run({ command: "ide-companion.accept" });
    await reported(client, /a.txt is accepted: close the proposal/);
  });

  test("makes no edit: the user reads that the change stays", async () => {
    const client = await startPlainClient({ capabilities: { ...fullCapabilities, workspace: {} } });
    await propose(client, "b.txt");
    await client.run({ command: "ide-companion.revert" });
    await reported(client, /could not be reverted: Editor makes no edits for others/);
  });
});

describe("the review page of an editor that shows nothing", () => {
  test("is opened by the editor where it opens links", async () => {
    const client = await startPlainClient();
    const opened: unknown[] = [];
    client.connection.onRequest("window/showDocument", ({ uri, external }) => {
      if (external) opened.push(uri);
      return { success: external === true };
    });
    await propose(client);
    await eventually(() => expect(opened).toHaveLength(1));
    expect(String(opened[0])).toMatch(/^http:/);
    expect(client.links).toEqual([]);
  });

  test("is reported as an error where nothing can be opened, because some editors show nothing less", async () => {
    const client = await startPlainClient({ capabilities: {}, hasBrowser: false });
    await propose(client);
    const { type } = await reported(client, /Review it at http:/);
    expect(type).toBe(1);
  });
});

describe("a command that an editor's picker calls without arguments", () => {
  test("reverts the change where the cursor is", async () => {
    const client = await startPlainClient();
    const filePath = path.join(client.root, "a.txt");
    writeFileSync(filePath, "one\ntwo\nthree\n");
    await (await client.agent()).call("openDiff", { filePath, newContent: "1\ntwo\n3\n" });
    const proposal = client.shown[0] ?? "";
    const textDocument = { uri: client.documents.get(proposal)?.uri ?? "" };
    const position = { line: 2, character: 0 };
    await client.connection.sendRequest("textDocument/hover", { textDocument, position });
    await client.run({ command: "ide-companion.revert" });
    await eventually(() => expect(client.documents.get(proposal)?.getText()).toBe("1\ntwo\nthree\n"));
    await client.connection.sendRequest("textDocument/hover", {
      textDocument,
      position: { line: 1, character: 0 },
    });
    await client.run({ command: "ide-companion.revert" });
    await reported(client, /There is no change in line 2/);
  });

  test("decides the proposal that was looked at last", async () => {
    const client = await startPlainClient();
    const one = await propose(client, "one.txt");
    const two = await propose(client, "two.txt");
    await client.actions(client.shown[0] ?? "", nowhere);
    await client.run({ command: "ide-companion.accept" });
    expect((await one.stream.method("ide/diffAccepted")).params).toMatchObject({ filePath: one.filePath });
    await client.run({ command: "ide-companion.reject" });
    expect((await two.stream.method("ide/diffRejected")).params).toEqual({ filePath: two.filePath });
    await client.run({ command: "ide-companion.reject" });
    await reported(client, /No proposal waits for your decision/);
  });

  test("shares what is open, with everybody who is connected", async () => {
    const client = await startPlainClient();
    await client.run({ command: "ide-companion.shareSelection" });
    await reported(client, /No file is open that could be shared/);
    const filePath = path.join(client.root, "a.txt");
    writeFileSync(filePath, "1\n");
    await client.open(filePath);
    await client.run({ command: "ide-companion.shareSelection" });
    await reported(
      client,
      /^a.txt is shared as soon as Gemini CLI \/ Qwen Code \/ Claude Code \/ Copilot CLI connects/,
    );
    await client.agent();
    await client.agent("qwen");
    const [share] = await client.actions(filePath, nowhere);
    expect(share?.title).toBe("Share selection with Gemini CLI / Qwen Code");
  });

  test("does not say that a file is shared which is kept from agents, or while sharing is paused", async () => {
    const client = await startPlainClient();
    const filePath = path.join(client.root, ".env");
    writeFileSync(filePath, "TOKEN=1\n");
    await client.open(filePath);
    await client.hears(
      "window/logMessage",
      ({ message }) => message === `Sharing: kept from agents: ${filePath}`,
    );
    await client.run({ command: "ide-companion.shareSelection" });
    await reported(client, /^\.env is kept from agents, and was not sent\.$/);
    await client.run({ command: "ide-companion.pause" });
    await reported(client, /^Sharing is paused/);
    await client.run({ command: "ide-companion.shareSelection" });
    await reported(client, /^Sharing is paused: the agents receive no files\.$/);
  });

  test("pauses what agents are sent, and resumes it", async () => {
    const client = await startPlainClient();
    await client.run({ command: "ide-companion.pause" });
    await reported(client, /^Sharing is paused: agents do not see what you look at\.$/);
    await client.hears("window/logMessage", ({ message }) => String(message).includes("Sharing: paused"));
    await client.run({ command: "ide-companion.status" });
    await reported(client, /Waiting for you: 0\. Review: after\. Sharing is paused\.$/);
    await client.run({ command: "ide-companion.resume" });
    await reported(client, /^Sharing is resumed\.$/);
  });

  test.each(["Before", "After", "Off"])("sets by command that agents are reviewed: %s", async (mode) => {
    const client = await startPlainClient();
    await client.run({ command: `ide-companion.review${mode}` });
    await reported(client, new RegExp(`^${mode.toLowerCase()}: each agent of this folder `));
    expect(new ReviewModes(client.host).in(client.root).find("gemini").mode).toBe(mode.toLowerCase());
  });

  test("waits for a companion that still starts before it tells who is connected", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const slow: AgentFamily = {
      agents: geminiFamily.agents,
      serve: async (...given) => {
        const served = await geminiFamily.serve(...given);
        await finished;
        return served;
      },
    };
    const client = await startPlainClient({ families: [slow] });
    await client.run({ command: "ide-companion.status" });
    finish();
    await reported(client, /^Port \d+\. Connected: nobody yet\./);
    expect(client.reported.some(({ params }) => String(params.message).includes("not running"))).toBe(false);
  });

  test("tells who is connected and what waits", async () => {
    const client = await startPlainClient();
    await propose(client);
    await client.run({ command: "ide-companion.status" });
    await reported(client, /^Port \d+\. Connected: Gemini CLI\. Waiting for you: 1\. Review: after\.$/);
  });
});
