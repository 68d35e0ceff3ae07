import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { WireStream } from "../../../../../testkit/src/fake-cli/gemini-family.ts";
import { toFileUri } from "../file-uri.ts";
import { createLspClient, discoveryContents } from "../testing/lsp-client.ts";
import { type PlainClientOptions, startPlainClient } from "../testing/plain-client.ts";

const at = (line: number, character: number) => ({ line, character });

async function startLooking(options: PlainClientOptions = {}) {
  const client = await startPlainClient(options);
  const stream = await (await client.agent()).openStream();
  const write = (name: string, text: string) => {
    const file = path.join(client.root, name);
    writeFileSync(file, text);
    return file;
  };
  return { client, stream, write, uri: (file: string) => ({ uri: toFileUri(file) }) };
}

/** Resolves once the agents have received an active file like this. */
async function active(stream: WireStream, wanted: object): Promise<void> {
  let last: unknown;
  await stream
    .next(({ params }) => {
      last = params;
      const { workspaceState } = params as { workspaceState?: { openFiles?: object[] } };
      return isLike(workspaceState?.openFiles?.[0], wanted);
    })
    .catch(() => expect(last).toMatchObject({ workspaceState: { openFiles: [wanted] } }));
}

function isLike(value: unknown, wanted: object): boolean {
  try {
    expect(value).toMatchObject(wanted);
    return true;
  } catch {
    return false;
  }
}

describe("what an editor without a plugin gives away", () => {
  test("is the file that was opened last, and which others are open", async () => {
    const { client, stream, write } = await startLooking();
    const [one, two] = [write("one.txt", "1\n"), write("two.txt", "2\n")];
    await client.open(one);
    await client.open(two);
    await active(stream, { path: two, isActive: true });
    await client.close(two);
    await active(stream, { path: one, isActive: true });
    expect(stream.events.at(-1)?.params).toMatchObject({ workspaceState: { openFiles: [{ path: one }] } });
  });

  test("is the place where something was typed", async () => {
    const { client, stream, write } = await startLooking();
    const file = write("a.txt", "one\ntwo\n");
    await client.open(file);
    await client.type(file, { range: { start: at(1, 1), end: at(1, 2) }, newText: "WW" });
    await active(stream, { path: file, cursor: { line: 2, character: 4 } });
  });

  test("is the place where something was typed, also when the whole text is sent", async () => {
    const { client, stream, write } = await startLooking();
    const file = write("a.txt", "one\ntwo\nthree\n");
    await client.open(file);
    await client.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: toFileUri(file), version: 2 },
      contentChanges: [{ text: "one\ntwo!\nthree\n" }],
    });
    await active(stream, { path: file, cursor: { line: 2, character: 5 } });
  });

  test("is no place whose line is no number: the editor's log says so", async () => {
    const { client, stream, write, uri } = await startLooking();
    const file = write("a.txt", "one\ntwo\n");
    await client.open(file);
    const look = (line: unknown) =>
      client.connection.sendRequest("textDocument/hover", {
        textDocument: uri(file),
        position: { line, character: 1 },
      });
    await look("a");
    expect(
      await client.hears("window/logMessage", ({ message }) => /dropped/.test(String(message))),
    ).toMatchObject({
      message: expect.stringMatching(/^The editor has sent a place that was dropped: start\.line: .*number/),
    });
    await client.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri: toFileUri(file), version: 2 },
      contentChanges: [{ range: { start: at(0, 0), end: { line: -1, character: 0 } }, text: "x" }],
    });
    await look(1);
    await active(stream, { path: file, cursor: { line: 2, character: 2 } });
    const cursors = JSON.stringify(stream.events).match(/"cursor":\{[^}]*\}/g);
    expect(new Set(cursors)).toEqual(new Set(['"cursor":{"line":2,"character":2}']));
  });

  test.each(["hover", "documentHighlight", "signatureHelp"])("is the place of a %s", async (question) => {
    const { client, stream, write, uri } = await startLooking();
    const file = write("😀 #%[.txt", "😀one\n");
    await client.open(file);
    const params = { textDocument: uri(file), position: at(0, 3) };
    expect(await client.connection.sendRequest(`textDocument/${question}`, params)).toBeNull();
    await active(stream, { path: file, cursor: { line: 1, character: 4 } });
  });

  test("is the selection that an action is asked for, until something else is looked at", async () => {
    const { client, stream, write, uri } = await startLooking();
    const file = write("a.txt", "one\ntwo\n");
    await client.open(file);
    const [share] = await client.actions(file, { start: at(0, 1), end: at(1, 2) });
    expect(share?.title).toBe("Share selection with Gemini CLI");
    await active(stream, { path: file, selectedText: "ne\ntw", cursor: { line: 2, character: 3 } });
    await client.run(share?.command);
    await client.hears("window/showMessage", ({ message }) =>
      String(message).includes("a.txt, lines 1 to 2"),
    );
    const selectionRange = { textDocument: uri(file), positions: [at(0, 0)] };
    await client.connection.sendRequest("textDocument/selectionRange", selectionRange);
    await active(stream, { path: file, cursor: { line: 1, character: 1 } });
    const last = stream.events.at(-1)?.params;
    expect(JSON.stringify(last)).not.toContain("selectedText");
  });

  test.each([
    ["a character", at(0, 3), at(0, 4), { line: 1, character: 4 }],
    ["a pair of units", at(0, 0), at(0, 2), { line: 1, character: 1 }],
    ["the end of a line", at(0, 5), at(1, 0), { line: 1, character: 6 }],
  ])("is the cursor of Helix where it covers %s, and no selection", async (_, start, end, cursor) => {
    const { client, stream, write } = await startLooking({ name: "helix" });
    const file = write("a.txt", "😀one\r\ntwo\r\n");
    await client.open(file);
    await client.actions(file, { start: at(0, 2), end: at(0, 4) });
    await active(stream, { path: file, selectedText: "on", cursor: { line: 1, character: 5 } });
    await client.actions(file, { start, end });
    await active(stream, { path: file, cursor });
    expect(JSON.stringify(stream.events.at(-1)?.params)).not.toContain("selectedText");
  });

  test("is nothing of what Helix has closed, although it tells of the opening afterwards", async () => {
    const { client, stream, write, uri } = await startLooking({ name: "helix" });
    const [one, two] = [write("one.txt", "1\n"), write("two.txt", "2\n")];
    await client.connection.sendNotification("textDocument/didClose", { textDocument: uri(one) });
    await client.open(one);
    await client.open(two);
    await active(stream, { path: two });
    expect(stream.events.at(-1)?.params).toMatchObject({ workspaceState: { openFiles: [{ path: two }] } });
  });

  test("is the document that alone is on the screen, by its inlay hints", async () => {
    const { client, stream, write, uri } = await startLooking();
    const [one, two] = [write("one.txt", "1\n"), write("two.txt", "2\n")];
    await client.open(one);
    await client.open(two);
    await active(stream, { path: two });
    const range = { start: at(0, 0), end: at(1, 0) };
    await client.connection.sendRequest("textDocument/inlayHint", { textDocument: uri(one), range });
    await active(stream, { path: one });
  });

  test("is the file that was saved", async () => {
    const { client, stream, write, uri } = await startLooking();
    const [one, two] = [write("one.txt", "1\n"), write("two.txt", "2\n")];
    await client.open(one);
    await client.open(two);
    await active(stream, { path: two });
    await client.connection.sendNotification("textDocument/didSave", { textDocument: uri(one) });
    await active(stream, { path: one });
  });

  test("is the selection in which an editor looks for actions alone, though it is offered none", async () => {
    const { client, stream, write, uri } = await startLooking();
    const file = write("a.txt", "one\ntwo\n");
    await client.open(file);
    const range = { start: at(0, 0), end: at(0, 3) };
    const context = { diagnostics: [], triggerKind: 2 };
    const params = { textDocument: uri(file), range, context };
    expect(await client.connection.sendRequest("textDocument/codeAction", params)).toEqual([]);
    await active(stream, { path: file, selectedText: "one" });
  });

  test("is nothing when it is on no disk", async () => {
    const { client, stream, write } = await startLooking();
    const textDocument = { uri: "untitled:1", languageId: "x", version: 1, text: "secret" };
    await client.connection.sendNotification("textDocument/didOpen", { textDocument });
    const file = write("real.txt", "");
    await client.open(file);
    await active(stream, { path: file });
    expect(JSON.stringify(stream.events)).not.toContain("untitled");
  });
});

describe("the folders of an editor without a plugin", () => {
  const initialize = async (params: object, file?: string) => {
    const client = createLspClient();
    await client.start({ workspaceFolders: null, ...params });
    const textDocument = { uri: file && toFileUri(file), languageId: "x", version: 1, text: "" };
    if (file) await client.connection.sendNotification("textDocument/didOpen", { textDocument });
    return client;
  };

  test("are its rootUri where it has no workspace folders", async () => {
    const client = await initialize({ rootUri: "file:///some%20where/" });
    expect(await discoveryContents(client.host, "gemini")).toMatchObject({ workspacePath: "/some where" });
  });

  test.each([{}, { workspace: { workspaceFolders: true } }])(
    "are those that it opens later, and not those that it closes, with capabilities %j",
    async (capabilities) => {
      const client = await initialize({ rootUri: "file:///first", capabilities });
      const event = {
        added: [{ uri: "file:///second", name: "" }],
        removed: [{ uri: "file:///first", name: "" }],
      };
      await client.connection.sendNotification("workspace/didChangeWorkspaceFolders", { event });
      await expect
        .poll(async () => (await discoveryContents(client.host, "gemini")).workspacePath)
        .toBe("/second");
    },
  );

  test("are the repository of the first file where it has neither", async () => {
    const { root } = createLspClient();
    mkdirSync(path.join(root, "repository", ".git"), { recursive: true });
    const client = await initialize({}, path.join(root, "repository", "deep", "a.txt"));
    await expect
      .poll(async () => (await discoveryContents(client.host, "gemini")).workspacePath)
      .toBe(path.join(root, "repository"));
  });

  test("are the folder of the first file where there is no repository", async () => {
    const client = await initialize({}, "/no/such/repository/a.txt");
    await expect
      .poll(async () => (await discoveryContents(client.host, "gemini")).workspacePath)
      .toBe("/no/such/repository");
  });
});
