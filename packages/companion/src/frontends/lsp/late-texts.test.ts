import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { EditsStore } from "../../core/edits/edits-store.ts";
import { openEditsFolder } from "../../core/edits/recovered-edits.ts";
import { editsFolder } from "../../system/host.ts";
import { createLspClient } from "./testing/lsp-client.ts";
import { type PlainClient, startPlainClient } from "./testing/plain-client.ts";

/** An editor with a plugin that answers as the test says, and a proposal of an agent on its way to it. */
async function propose(answers: { open?: () => unknown; close?: () => unknown }) {
  const client = createLspClient();
  const { connection } = client;
  const announcement = { experimental: { ideCompanion: { version: 1 } } };
  let show = () => {};
  const shown = new Promise<void>((resolve) => {
    show = resolve;
  });
  connection.onRequest("companion/openDiff", () => {
    show();
    return answers.open?.() ?? null;
  });
  connection.onRequest("companion/closeDiff", () => answers.close?.() ?? { content: "proposed" });
  await client.start({ capabilities: announcement, clientInfo: { name: "Neovim", version: "0.10.4" } });
  const agent = await client.agent();
  const filePath = path.join(client.root, "a");
  const opening = agent.call("openDiff", { filePath, newContent: "proposed" });
  await shown;
  const [id] = await client.waiting();
  const type = (content: string) => connection.sendRequest("companion/draft", { id, content });
  /** Resolves with the text that is offered to the user. */
  const recovered = async () => {
    const { id } = Object((await client.hears("companion/news")).row);
    const params = { list: "edits", id, action: "restore" };
    const { put } = await connection.sendRequest<{ put: { content: string } }>("companion/act", params);
    return put.content;
  };
  return { client, agent, id, filePath, opening, type, recovered };
}

/** The clock by which the frontend waits for the editor is the test's. */
function holdClock() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds: number) => vi.advanceTimersByTime(milliseconds);
}

test("what was typed while an editor was too slow to close its diff can be recovered once the editor gives it back", async () => {
  const pass = holdClock();
  let giveBack: (answer: object) => void = () => {};
  const isAsked = vi.fn();
  const { client, agent, filePath, opening, recovered } = await propose({
    close: () => {
      isAsked();
      return new Promise((resolve) => {
        giveBack = resolve;
      });
    },
  });
  await opening;
  const rejecting = agent.call("rejectDiff", { filePath });
  await vi.waitFor(() => expect(isAsked).toHaveBeenCalled());
  pass(5000);
  await rejecting;
  const { message } = await client.hears("window/showMessage");
  expect(message).toContain("could not close the diff");
  giveBack({ content: "typed" });
  expect(await recovered()).toBe("typed");
});

test("what the editor reports as typed while it closes its diff counts, also if it never answers", async () => {
  const pass = holdClock();
  const isAsked = vi.fn();
  const { client, agent, filePath, opening, type, recovered } = await propose({
    close: () => {
      isAsked();
      return new Promise(() => {});
    },
  });
  await opening;
  const rejecting = agent.call("rejectDiff", { filePath });
  await vi.waitFor(() => expect(isAsked).toHaveBeenCalled());
  await type("typed");
  // The answer to a later request proves that the text has arrived.
  await client.connection.sendRequest("companion/list", { list: "edits" });
  pass(5000);
  await rejecting;
  expect(await recovered()).toBe("typed");
});

test("what is typed in an accepted proposal before its editor hears that the decision counts can be recovered", async () => {
  const { client, id, opening, type, recovered } = await propose({});
  await opening;
  const accepting = client.connection.sendRequest("companion/diffAccepted", { id, content: "proposed" });
  await type("typed after that");
  expect(await accepting).toEqual({ taken: true });
  expect(await recovered()).toBe("typed after that");
});

test("a diff in which the user types is not taken away because its editor is slow to say that it is shown", async () => {
  const pass = holdClock();
  const close = vi.fn(() => ({ content: "typed" }));
  const { client, agent, filePath, opening, type } = await propose({
    open: () => new Promise(() => {}),
    close,
  });
  await type("typed");
  await client.connection.sendRequest("companion/list", { list: "edits" });
  pass(10_000);
  await opening;
  expect(close).not.toHaveBeenCalled();
  const { result } = await agent.call("closeDiff", { filePath });
  expect(JSON.stringify(result)).toContain("typed");
  expect(client.links).toEqual([]);
});

describe("in an editor without a plugin", () => {
  const start = { line: 0, character: 0 };
  const typed = (newText: string) => ({ range: { start, end: start }, newText });
  const warnings = ({ reported }: PlainClient) =>
    reported.flatMap(({ params }) => (params.type === 2 ? [String(params.message)] : []));

  async function proposeIn(client: PlainClient) {
    const agent = await client.agent();
    const stream = await agent.openStream();
    const filePath = path.join(client.root, "a.txt");
    await agent.call("openDiff", { filePath, newContent: "1\n" });
    const proposal = client.shown.at(-1) ?? "";
    const store = new EditsStore({ folder: openEditsFolder(editsFolder(client.host)) });
    const recovered = () => store.list().map(({ id }) => store.read(id)?.text);
    return { agent, stream, filePath, proposal, recovered };
  }

  test("what is typed while the editor is asked to close a proposal that its agent has closed can be recovered", async () => {
    const client = await startPlainClient();
    const { agent, filePath, proposal, recovered } = await proposeIn(client);
    client.connection.onRequest("workspace/applyEdit", async () => {
      await client.type(proposal, typed("late "));
      await client.close(proposal);
      return { applied: true };
    });
    await agent.call("closeDiff", { filePath });
    await vi.waitFor(() => expect(recovered()).toEqual(["late 1\n"]));
  });

  test("what is typed in an accepted proposal that the editor keeps can be recovered, and is offered once", async () => {
    const client = await startPlainClient();
    client.connection.onRequest("workspace/applyEdit", () => ({ applied: false }));
    const { stream, proposal, recovered } = await proposeIn(client);
    await client.run({ command: "ide-companion.accept" });
    await stream.method("ide/diffAccepted");
    await client.type(proposal, typed("late "));
    await vi.waitFor(() => expect(recovered()).toEqual(["late 1\n"]));
    await client.type(proposal, typed("very "));
    await vi.waitFor(() => expect(recovered()).toEqual(["very late 1\n"]));
    const [warning, ...others] = warnings(client);
    expect(warning).toMatch(
      /edits restore [0-9a-f]{8} gets it back: Your text is not in a.txt: You typed this after/,
    );
    expect(others).toEqual([]);
  });

  test("what is typed in a rejected proposal that the editor keeps is offered to nobody", async () => {
    const client = await startPlainClient();
    client.connection.onRequest("workspace/applyEdit", () => ({ applied: false }));
    const { stream, proposal, recovered } = await proposeIn(client);
    await client.run({ command: "ide-companion.reject" });
    await stream.method("ide/diffRejected");
    await client.type(proposal, typed("late "));
    await client.close(proposal);
    await client.lenses(proposal); // what was typed has arrived
    expect(recovered()).toEqual([]);
    expect(warnings(client)).toEqual([]);
  });
});
