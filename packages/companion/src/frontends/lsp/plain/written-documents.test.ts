import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { eventually } from "../../../../../testkit/src/eventually.ts";
import { fullCapabilities, type PlainClient, startPlainClient } from "../testing/plain-client.ts";
import { createWritingAgent } from "../testing/writing-agent.ts";

const lines = (changed: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 20 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join("");

const at = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 0 } });

/** An editor that has read what an agent wrote in a file. */
async function open(text: string, before = lines(), options: Parameters<typeof startPlainClient>[0] = {}) {
  const client = await startPlainClient(options);
  const poem = path.join(client.root, "poem.txt");
  writeFileSync(poem, before);
  const agent = createWritingAgent(client.host);
  agent.begin("Count");
  await agent.write(poem, text);
  await client.open(poem);
  return { client, poem, agent };
}

const titles = async (client: PlainClient, file: string, line: number) =>
  (await client.actions(file, at(line))).map(({ title }) => title).filter((title) => !/Share/.test(title));

async function act(client: PlainClient, file: string, line: number, title: string) {
  const found = (await client.actions(file, at(line))).find((action) => action.title === title);
  expect(found?.title).toBe(title);
  await client.run(found?.command);
}

const textOf = (client: PlainClient, file: string) => client.documents.get(file)?.getText();

test("what an agent wrote has hints in its file, is reverted in the document and kept by code actions", async () => {
  const { client, poem } = await open(lines({ 3: "third", 18: "18a\n18b" }));
  expect(await client.hints(poem)).toEqual([
    "Gemini CLI wrote +1 −1, instead of:\nline 3",
    "Gemini CLI wrote +2 −1, instead of:\nline 18",
  ]);
  expect(await titles(client, poem, 0)).toEqual([]);
  expect(await titles(client, poem, 2)).toEqual([
    "Keep this change of Gemini CLI",
    "Revert this change of Gemini CLI",
    "Keep all of this turn of Gemini CLI",
    "Revert all of this turn of Gemini CLI",
  ]);
  await client.type(poem, { range: at(0), newText: "mine\n" });
  await act(client, poem, 3, "Revert this change of Gemini CLI");
  const reverted = `mine\n${lines({ 18: "18a\n18b" })}`;
  await eventually(() => expect(textOf(client, poem)).toBe(reverted));
  expect(readFileSync(poem, "utf8")).toBe(lines({ 3: "third", 18: "18a\n18b" }));
  await client.hints(poem, (hints) => hints.length === 1);
  writeFileSync(poem, reverted);
  await eventually(async () => expect((await titles(client, poem, 18)).length).toBe(4));
  await eventually(async () => {
    const left = await titles(client, poem, 18);
    if (left.length > 0) await act(client, poem, 18, "Keep this change of Gemini CLI");
    expect(left).toEqual([]);
  });
});

test("what is saved in an editor during a turn is recorded as its user's", async () => {
  const { client, poem, agent } = await open(lines({ 3: "third" }));
  await client.connection.sendNotification("textDocument/didSave", {
    textDocument: { uri: pathToFileURL(poem).href },
  });
  await eventually(() => expect(agent.saved()).toEqual([poem]));
});

test("the last line without its end is reverted in an editor that has CRLF", async () => {
  const { client, poem } = await open("one\r\n2nd", "one\r\ntwo");
  await client.hints(poem);
  await act(client, poem, 1, "Revert this change of Gemini CLI");
  await eventually(() => expect(textOf(client, poem)).toBe("one\r\ntwo"));
});

test("all of a turn is reverted in its files, unless one of them has unsaved edits", async () => {
  const { client, poem, agent } = await open(lines({ 3: "third" }));
  const made = path.join(client.root, "made.txt");
  await agent.write(made, "new\n");
  agent.end();
  expect(
    await client.hears("window/showMessage", ({ message }) => `${message}`.includes("changed")),
  ).toMatchObject({
    message: "Gemini CLI changed 2 files: +2 −1. Code actions lead there.",
  });
  expect(await titles(client, poem, 0)).toEqual(["Show what Gemini CLI wrote in made.txt"]);
  await act(client, poem, 0, "Show what Gemini CLI wrote in made.txt");
  await eventually(() => expect(client.shown).toEqual([made]));
  await client.type(poem, { range: at(0), newText: "mine\n" });
  await act(client, poem, 3, "Revert all of this turn of Gemini CLI");
  await client.hears(
    "window/showMessage",
    ({ message }) => message === "poem.txt has unsaved changes: save them first.",
  );
  await client.type(poem, { range: { start: at(0).start, end: at(1).start }, newText: "" });
  await act(client, poem, 2, "Revert all of this turn of Gemini CLI");
  await eventually(() => expect(readFileSync(poem, "utf8")).toBe(lines()));
  await eventually(() => expect(() => readFileSync(made)).toThrow("ENOENT"));
});

test("an editor that makes no edits for others is reverted on disk, by a command at its cursor", async () => {
  const { client, poem } = await open(lines({ 3: "third" }), lines(), { capabilities: {} });
  await client.hints(poem);
  await client.run({ command: "ide-companion.revertWritten" });
  await client.hears("window/showMessage", ({ message }) => `${message}`.startsWith("No agent has written"));
  await client.actions(poem, at(2));
  await client.run({ command: "ide-companion.revertWritten" });
  await eventually(() => expect(readFileSync(poem, "utf8")).toBe(lines()));
});

test("in Kate, which does not say that it makes edits, a revert is one, of the line at the cursor alone", async () => {
  const text = lines({ 3: "third" }).replace("line 7\n", "").replace("line 8\n", "line 8\nadded\n");
  const options = {
    capabilities: { textDocument: fullCapabilities.textDocument ?? {} },
    initializationOptions: { editor: "Kate" },
  };
  const { client, poem } = await open(text, lines(), options);
  await client.hints(poem);
  const marked = await client.hears("textDocument/publishDiagnostics", ({ uri }) =>
    `${uri}`.endsWith("poem.txt"),
  );
  // Kate draws nothing where a range has no character.
  expect(marked).toMatchObject({
    diagnostics: [{}, { range: { start: { line: 6 }, end: { character: 1 } } }, {}],
  });
  const line = (number: number) => ({ start: at(number).start, end: at(number + 1).start });
  const actions = await client.actions(poem, line(6));
  await client.run(actions.find(({ title }) => title === "Revert this change of Gemini CLI")?.command);
  const reverted = lines({ 3: "third" }).replace("line 8\n", "line 8\nadded\n");
  await eventually(() => expect(textOf(client, poem)).toBe(reverted));
  expect(readFileSync(poem, "utf8")).toBe(text);
});
