import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { type ApplyWorkspaceEditParams, CodeActionTriggerKind } from "vscode-languageserver";
import { EditsStore } from "../../../core/edits/edits-store.ts";
import { openEditsFolder } from "../../../core/edits/recovered-edits.ts";
import { editsFolder } from "../../../system/host.ts";
import { toFileUri } from "../file-uri.ts";
import { type PlainClient, startPlainClient } from "../testing/plain-client.ts";

const at = (line: number, character: number) => ({ line, character });
const nowhere = { start: at(0, 0), end: at(0, 0) };
const range = (line: number, from: number, to: number) => ({ start: at(line, from), end: at(line, to) });

/** An agent has proposed something, and the editor shows it. */
async function propose(client: PlainClient, name: string, newContent: string, before?: string) {
  const filePath = path.join(client.root, name);
  if (before !== undefined) writeFileSync(filePath, before);
  const agent = await client.agent();
  const stream = await agent.openStream();
  const { result } = await agent.call("openDiff", { filePath, newContent });
  expect(result).toEqual({ content: [] });
  return { agent, stream, filePath, proposal: client.shown.at(-1) ?? "" };
}

const editsOf = ({ host }: PlainClient) => new EditsStore({ folder: openEditsFolder(editsFolder(host)) });

const leftInTmp = (client: PlainClient) =>
  readdirSync(client.host.tmp).filter((name) => name.includes(".ide-proposal-"));

describe("a proposal in an editor without a plugin", () => {
  test("is a private document with the name of its file", async () => {
    const client = await startPlainClient();
    const { proposal } = await propose(client, "a b#%[.txt", "new\n", "old\n");
    expect(path.basename(proposal)).toBe("a b#%[.txt");
    expect(proposal.startsWith(client.root)).toBe(false);
    expect(readFileSync(proposal, "utf8")).toBe("new\n");
    expect(statSync(proposal).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(client.host.tmp, leftInTmp(client)[0] ?? "")).mode & 0o777).toBe(0o700);
  });

  test("does not clash with another one of the same name, and is no file of the user's", async () => {
    const client = await startPlainClient();
    const one = await propose(client, "a.txt", "1\n");
    const two = await propose(client, "a.txt", "2\n");
    expect(one.proposal).not.toBe(two.proposal);
    await client.open(path.join(client.root, "a.txt")).catch(() => {}); // it does not exist
    expect(JSON.stringify(two.stream.events)).not.toContain(one.proposal);
  });

  test("has a hint for each change, with the lines that it replaces, also after editing", async () => {
    const client = await startPlainClient();
    const { proposal } = await propose(client, "a.txt", "one\n2\nthree\n4\n", "one\ntwo\nthree\n");
    expect(await client.hints(proposal)).toEqual([
      "Change 1 of 2, +1 −1, instead of:\ntwo",
      "Change 2 of 2, +1 −0",
    ]);
    await client.type(proposal, { range: range(1, 0, 1), newText: "two" });
    expect(await client.hints(proposal, (hints) => hints.length === 1)).toEqual(["Change 1 of 1, +1 −0"]);
  });

  test("keeps what is typed in Helix below a carriage return, which ends no line there", async () => {
    const client = await startPlainClient({ name: "helix" });
    const { proposal, stream, filePath } = await propose(
      client,
      "a.txt",
      "1\r2\nnew\nlast\n",
      "1\r2\nold\nlast\n",
    );
    const { documents } = client;
    const textDocument = { uri: documents.get(proposal)?.uri ?? "", version: 2 };
    const contentChanges = [{ range: range(1, 3, 3), text: "er" }];
    await client.connection.sendNotification("textDocument/didChange", { textDocument, contentChanges });
    const titles = (await client.actions(proposal, range(1, 0, 0))).map(({ title }) => title);
    expect(titles).toContain("Revert this change");
    const [accept] = await client.lenses(proposal);
    await client.run(accept?.command);
    const content = "1\r2\nnewer\nlast\n";
    expect((await stream.method("ide/diffAccepted")).params).toEqual({ filePath, content });
  });

  test("is accepted by its lens, with what the user has typed", async () => {
    const client = await startPlainClient();
    const { proposal, stream, filePath } = await propose(client, "a.txt", "one\n2\n", "one\ntwo\n");
    await client.type(proposal, { range: range(1, 1, 1), newText: " and a half" });
    const lenses = await client.lenses(proposal);
    expect(lenses.map(({ command }) => command?.title)).toEqual([
      "Accept +1 −1",
      "Reject",
      "Revert this change",
    ]);
    await client.run(lenses[0]?.command);
    const content = "one\n2 and a half\n";
    expect((await stream.method("ide/diffAccepted")).params).toEqual({ filePath, content });
    await expect.poll(() => client.documents.has(proposal)).toBe(false);
    await expect.poll(() => existsSync(proposal)).toBe(false);
    expect(readFileSync(filePath, "utf8")).toBe("one\ntwo\n");
  });

  test.each([
    ["\ta\n", "  a\n", "only white space"],
    [Buffer.from("caf\xe9\nb\n", "latin1"), "b\n", "replaces 1 non-UTF-8 line"],
  ])(
    "says first what a diff shows badly, in its message and where it is accepted: %j",
    async (before, after, what) => {
      const client = await startPlainClient({ name: "helix" });
      const filePath = path.join(client.root, "a.txt");
      writeFileSync(filePath, before);
      const { proposal } = await propose(client, "a.txt", after);
      await client.hears("window/showMessage", ({ message }) =>
        String(message).startsWith(`space a: accept, reject. ${what}: Gemini CLI proposes a.txt`),
      );
      const titles = (await client.actions(proposal, range(0, 0, 0))).map(({ title }) => title);
      expect(titles[0]).toBe(`Accept the change of Gemini CLI, ${what}`);
      await client.type(proposal, { range: range(0, 0, 0), newText: "typed" });
      const [accept] = await client.actions(proposal, range(0, 0, 0));
      expect(accept?.title.includes("white space")).toBe(false);
    },
  );

  test.each(["asks for it", "rests"])(
    "takes no focus from a user who types, and opens when that user %s",
    async (what) => {
      const client = await startPlainClient({
        name: "helix",
        capabilities: { workspace: { applyEdit: true } },
      });
      const file = path.join(client.root, "own.txt");
      writeFileSync(file, "own\n");
      await client.open(file);
      await client.type(file, { range: range(0, 0, 0), newText: "in the middle of a wo" });
      await propose(client, "a.txt", "1\n");
      const says = (wanted: RegExp) =>
        client.hears("window/showMessage", ({ message }) => wanted.test(String(message)));
      await says(/^space a shows it: Gemini CLI proposes a\.txt \+1 −0$/);
      await client.type(file, { range: range(0, 21, 21), newText: "rd" });
      expect(client.shown).toEqual([]);
      if (what === "asks for it") await client.run({ command: "ide-companion.show" });
      await says(/^space a: accept, reject/);
      expect(client.shown.length).toBe(1);
    },
  );

  test("has the lines that somebody has written into its file meanwhile, and marks none of them", async () => {
    const client = await startPlainClient();
    const { stream, proposal, filePath } = await propose(
      client,
      "a.txt",
      "one\n2\nthree\n",
      "one\ntwo\nthree\n",
    );
    writeFileSync(filePath, "one\ntwo\nthree\nfour\n");
    await client.hears("window/showMessage", ({ message }) =>
      String(message).startsWith("a.txt has changed on disk: the proposal has these"),
    );
    expect(client.documents.get(proposal)?.getText()).toBe("one\n2\nthree\nfour\n");
    expect(await client.hints(proposal, (hints) => hints.length === 1)).toEqual([
      "Change 1 of 1, +1 −1, instead of:\ntwo",
    ]);
    await client.run({ command: "ide-companion.accept" });
    expect((await stream.method("ide/diffAccepted")).params).toMatchObject({
      content: "one\n2\nthree\nfour\n",
    });
  });

  test("says that its file has changed also in an editor that reports an edit after its answer", async () => {
    const client = await startPlainClient();
    const { filePath, proposal } = await propose(client, "a.txt", "one\n2\nthree\n", "one\ntwo\nthree\n");
    client.connection.onRequest("workspace/applyEdit", ({ edit }: ApplyWorkspaceEditParams) => {
      const edits = Object.values(edit.changes ?? {}).flat();
      setTimeout(() => {
        for (const one of edits) void client.type(proposal, one);
      }, 100);
      return { applied: true };
    });
    writeFileSync(filePath, "one\ntwo\nthree\nfour\n");
    await client.hears("window/showMessage", ({ message }) =>
      String(message).startsWith("a.txt has changed on disk: the proposal has these"),
    );
    expect(client.documents.get(proposal)?.getText()).toBe("one\n2\nthree\nfour\n");
  });

  test("shows both versions of lines that its file has otherwise by now, and is not accepted with them", async () => {
    const client = await startPlainClient();
    const { proposal, filePath } = await propose(client, "a.txt", "one\n2\n", "one\ntwo\n");
    writeFileSync(filePath, "one\nzwei\n");
    const says = (wanted: RegExp) =>
      client.hears("window/showMessage", ({ message }) => wanted.test(String(message)));
    await says(/^a\.txt has changed on disk in the same lines: choose/);
    expect(client.documents.get(proposal)?.getText()).toMatch(
      /^one\n<<<<<<< on disk\nzwei\n[\s\S]*\n2\n>>>>>>> proposed\n/,
    );
    await client.run({ command: "ide-companion.accept" });
    await says(/The change shows both versions/);
  });

  test("is rejected by its action, or by the command of a picker", async () => {
    const client = await startPlainClient();
    const first = await propose(client, "a.txt", "1\n");
    const actions = await client.actions(first.proposal, nowhere);
    await client.run(actions.find(({ title }) => title.startsWith("Reject"))?.command);
    await first.stream.method("ide/diffRejected");
    const second = await propose(client, "b.txt", "2\n");
    await client.run({ command: "ide-companion.reject" });
    expect((await second.stream.method("ide/diffRejected")).params).toEqual({ filePath: second.filePath });
  });

  test("is shown again by an action in any other document, and by the command of a picker", async () => {
    const client = await startPlainClient();
    const { proposal: first } = await propose(client, "a\u202e.txt", "1\n");
    const { proposal: second } = await propose(client, "b.txt", "2\n");
    const file = path.join(client.root, "own.txt");
    writeFileSync(file, "own\n");
    await client.open(file);
    const offered = async (document: string) =>
      (await client.actions(document, nowhere)).filter(({ title }) => title.startsWith("Show "));
    const titles = async (document: string) => (await offered(document)).map(({ title }) => title);
    const [showFirst, showSecond] = [
      "Show the change of Gemini CLI to a⟨202E⟩.txt, for which it waits",
      "Show the change of Gemini CLI 2 to b.txt, for which it waits",
    ];
    expect(await titles(file)).toEqual([showFirst, showSecond]);
    expect((await client.actions(file, nowhere))[0]?.title).toMatch(/^Share selection/);
    await client.run((await offered(file))[1]?.command);
    await expect.poll(() => client.shown.at(-1)).toBe(second);
    expect(await titles(second)).toEqual([showFirst]);
    for (const next of [first, second, first]) {
      const count = client.shown.length;
      await client.run({ command: "ide-companion.show" });
      await expect.poll(() => client.shown.slice(count)).toEqual([next]);
    }
    const unasked = { diagnostics: [], triggerKind: CodeActionTriggerKind.Automatic };
    const params = { textDocument: { uri: toFileUri(file) }, range: nowhere, context: unasked };
    expect(await client.connection.sendRequest("textDocument/codeAction", params)).toEqual([]);
  });

  test("reverts a change by its action, and by its command", async () => {
    const client = await startPlainClient();
    const { proposal } = await propose(client, "a.txt", "1\ntwo\n3", "one\ntwo\nthree\n");
    const actions = await client.actions(proposal, range(2, 0, 1));
    const back = actions.find(({ title }) => title.startsWith("Revert"));
    const [id] = actions.find(({ title }) => title.startsWith("Accept"))?.command?.arguments ?? [];
    const [edit] = Object.values(back?.edit?.changes ?? {}).flat();
    expect(edit).toEqual({ range: range(2, 0, 1), newText: "three\n" });
    if (edit) await client.type(proposal, edit);
    await client.run({ command: "ide-companion.revert", arguments: [id, 0] });
    await expect.poll(() => client.documents.get(proposal)?.getText()).toBe("one\ntwo\nthree\n");
  });

  test("is not decided by saving, and rejected by closing", async () => {
    const client = await startPlainClient();
    const { proposal, stream } = await propose(client, "a.txt", "1\n");
    await client.connection.sendNotification("textDocument/didSave", {
      textDocument: { uri: client.documents.get(proposal)?.uri },
    });
    // Loaded again: closed and opened again at once.
    await client.close(proposal);
    await client.open(proposal);
    await client.lenses(proposal);
    expect(stream.events.map(({ method }) => method)).toEqual(["ide/contextUpdate"]);
    await client.close(proposal);
    await stream.method("ide/diffRejected");
  });

  test("closed by its agent gives its text back, and leaves the editor", async () => {
    const client = await startPlainClient();
    const { proposal, agent, filePath } = await propose(client, "a.txt", "1\n");
    await client.type(proposal, { range: range(0, 1, 1), newText: "!" });
    await client.lenses(proposal); // what was typed has arrived
    const { result } = await agent.call("closeDiff", { filePath });
    expect(JSON.stringify(result)).toContain("1!");
    await expect.poll(() => client.documents.has(proposal)).toBe(false);
  });

  test("tells the way to edits that its agent does not write", async () => {
    const client = await startPlainClient();
    const agent = await client.agent("qwen");
    const filePath = path.join(client.root, "a.txt");
    await agent.call("openDiff", { filePath, newContent: "1\n" });
    await client.type(client.shown[0] ?? "", { range: range(0, 1, 1), newText: "!" });
    await client.lenses(client.shown[0] ?? ""); // what was typed has arrived
    await agent.call("closeDiff", { filePath, suppressNotification: true });
    const { message } = await client.hears("window/showMessage", ({ type }) => type === 2);
    const [, id = ""] =
      /^ide-companion edits restore ([0-9a-f]{8}) gets it back: Your text is not in a.txt: /.exec(
        String(message),
      ) ?? [];
    expect(editsOf(client).read(id)).toMatchObject({ filePath, text: "1!\n", proposed: "1\n" });
  });

  test("keeps a byte order mark that the editor does not show", async () => {
    const client = await startPlainClient();
    client.connection.onRequest("window/showDocument", async ({ uri }: { uri: string }) => {
      const textDocument = { uri, languageId: "x", version: 1, text: "new\n" };
      await client.connection.sendNotification("textDocument/didOpen", { textDocument });
      return { success: true };
    });
    const { stream } = await propose(client, "bom.txt", "\uFEFFnew\n", "\uFEFFold\n");
    await client.run({ command: "ide-companion.accept" });
    expect((await stream.method("ide/diffAccepted")).params).toMatchObject({ content: "\uFEFFnew\n" });
  });

  test("that cannot be accepted stays, and the user hears why", async () => {
    const client = await startPlainClient();
    const { proposal } = await propose(client, "a.txt", "1");
    await client.type(proposal, { range: range(0, 0, 1), newText: "" });
    await client.run({ command: "ide-companion.accept" });
    await client.hears("window/showMessage", ({ message }) => /empty text/.test(String(message)));
    expect(client.documents.has(proposal)).toBe(true);
  });

  test("is offered with its choices where the editor has them, and answered there", async () => {
    const client = await startPlainClient();
    client.connection.onRequest("window/showMessageRequest", ({ actions }) => actions[0]);
    const { stream } = await propose(client, "a.txt", "1\n");
    await stream.method("ide/diffAccepted");
  });

  test("leaves no file behind when the editor ends", async () => {
    const client = await startPlainClient();
    await propose(client, "a.txt", "1\n");
    expect(leftInTmp(client)).toHaveLength(1);
    await client.connection.sendRequest("shutdown");
    expect(leftInTmp(client)).toEqual([]);
  });

  test.each(["the pipe breaks", "shutdown", "exit"])(
    "that was edited and saved is among the recovered edits after %s, and no file of it is left",
    async (end) => {
      const client = await startPlainClient();
      const { proposal, filePath } = await propose(client, "a.txt", "1\n");
      writeFileSync(proposal, "mine\n");
      if (end === "the pipe breaks") client.hangUp();
      if (end === "shutdown") await client.connection.sendRequest("shutdown");
      if (end === "exit") await client.connection.sendNotification("exit");
      if (end !== "shutdown") await client.frontend.ended;
      await client.frontend.close();
      const [entry, ...others] = editsOf(client).list();
      expect(others).toEqual([]);
      expect(editsOf(client).read(entry?.id ?? "")).toMatchObject({ filePath, text: "mine\n" });
      expect(leftInTmp(client)).toEqual([]);
    },
  );

  test.each([1, 2])(
    "of which %i edited ones are recovered are reported by the next start in their folder",
    async (count) => {
      const client = await startPlainClient();
      const proposals: string[] = [];
      for (const name of ["a.txt", "b.txt"].slice(0, count))
        proposals.push((await propose(client, name, "1\n")).proposal);
      for (const proposal of proposals) {
        await client.type(proposal, { range: range(0, 1, 1), newText: "!" });
        await client.lenses(proposal); // what was typed has arrived
      }
      await client.frontend.close();
      const elsewhere = await startPlainClient({ host: client.host });
      const workspaceFolders = [{ uri: pathToFileURL(client.root).href, name: "root" }];
      const next = await startPlainClient({ host: client.host, workspaceFolders });
      const { message } = await next.hears("window/showMessage", ({ type }) => type === 2);
      expect(message).toMatch(
        count === 1
          ? /^ide-companion edits restore [0-9a-f]{8} gets it back: Your text is not in a.txt: /
          : /^ide-companion edits lists them: 2 texts of yours are not in their files$/,
      );
      expect(elsewhere.reported.filter(({ method }) => method === "window/showMessage")).toEqual([]);
    },
  );

  test("in which somebody saved while no companion ran is recovered by the next start", async () => {
    const client = await startPlainClient();
    const { proposal, filePath } = await propose(client, "a.txt", "1\n");
    const folder = path.join(client.host.tmp, leftInTmp(client)[0] ?? "");
    const left = folder.replace(`-${process.pid}-`, "-1999999999-");
    cpSync(folder, left, { recursive: true });
    await client.connection.sendRequest("shutdown");
    writeFileSync(proposal.replace(folder, left), "mine\n");
    const next = await startPlainClient({ host: client.host });
    const { message } = await next.hears("window/showMessage", ({ type }) => type === 2);
    const [entry] = editsOf(client).list();
    expect(entry).toMatchObject({ filePath, reason: "editor-ended" });
    expect(message).toContain(`ide-companion edits restore ${entry?.id}`);
    expect(existsSync(left)).toBe(false);
  });
});

describe("a proposal in Helix", () => {
  const before = "one\ntwo ```\nthree\n";

  test("has hints whose text covers none of its lines, and a hover that quotes what they replace", async () => {
    const client = await startPlainClient({ name: "helix" });
    const { proposal } = await propose(client, "a.txt", "one\n2\nthree\n4\n", before);
    expect(await client.hints(proposal)).toEqual(["", ""]);
    const textDocument = { uri: client.documents.get(proposal)?.uri };
    const hover = (line: number) =>
      client.connection.sendRequest("textDocument/hover", { textDocument, position: at(line, 0) });
    expect(await hover(1)).toEqual({
      contents: {
        kind: "markdown",
        value: "Change 1 of 2, +1 −1, instead of:\n````diff\n-two ```\n````",
      },
    });
    expect(await hover(3)).toEqual({ contents: { kind: "markdown", value: "Change 2 of 2, +1 −0" } });
    expect(await hover(0)).toBeNull();
  });

  test("that it cannot show has a link that is whole at 80 columns, where the rest may be cut", async () => {
    const client = await startPlainClient({ name: "helix", hasBrowser: false, onShow: "refuses" });
    const agent = await client.agent();
    await agent.call("openDiff", { filePath: path.join(client.root, "a.txt"), newContent: "\x1b[2J\n" });
    const { type, message } = await client.hears("window/showMessage");
    expect([type, message]).toEqual([
      1,
      expect.stringMatching(/^http:\S{60,72} is for review: Gemini CLI proposes/),
    ]);
  });

  test("is announced, and decided, with the keys first: what comes last may be cut", async () => {
    const client = await startPlainClient({
      name: "helix",
      capabilities: { workspace: { applyEdit: true } },
    });
    await propose(client, "a.txt", "1\n");
    const said = (message: string) =>
      client.hears("window/showMessage", (params) => params.message === message);
    await said("space a: accept, reject; space k: old lines. Gemini CLI proposes a.txt +1 −0");
    await client.run({ command: "ide-companion.accept" });
    await said(":bc! closes the proposal, :rla loads what was written: a.txt is accepted.");
    await propose(client, "b.txt", "1\n");
    await client.run({ command: "ide-companion.reject" });
    await said(":bc! closes the proposal: b.txt is rejected.");
  });
});
