import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { Feedback, toConversation } from "../../core/written/feedback.ts";
import { writtenFolder } from "../../system/host.ts";
import type { DecidedHunks, NextHunks, WrittenHunks } from "../protocol/written-messages.ts";
import { createLspClient } from "./testing/lsp-client.ts";
import { createWritingAgent } from "./testing/writing-agent.ts";

const lines = (changed: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 20 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join("");

/** A plugin that has a file open, and an agent. */
async function openPoem(text = lines()) {
  const client = createLspClient();
  await client.start({ capabilities: { experimental: { ideCompanion: { version: 1 } } } });
  const poem = path.join(client.root, "poem.txt");
  writeFileSync(poem, text);
  const open = (...paths: string[]) =>
    client.connection.sendNotification("companion/context", {
      files: paths.map((name) => ({ path: name, focusedAt: 1 })),
    });
  await open(poem);
  const agent = createWritingAgent(client.host);
  agent.begin("Count");
  /** Resolves with the hunks of a file, once they begin in these lines. */
  const hunksAt = async (...wanted: number[]) =>
    (await client.hears(
      "companion/writtenHunks",
      ({ hunks }) => `${(hunks as WrittenHunks["hunks"]).map(({ line }) => line)}` === `${wanted}`,
    )) as WrittenHunks;
  const decide = (shown: WrittenHunks, action: string, indexes: number[], content?: string) =>
    client.connection.sendRequest<DecidedHunks>("companion/decideHunks", {
      ...{ filePath: shown.filePath, revision: shown.revision, action, content },
      ids: indexes.map((index) => shown.hunks[index]?.id),
    });
  return { client, poem, open, agent, hunksAt, decide };
}

test("hunks that an agent writes in an open file are sent, kept one by one, and are no more once all are", async () => {
  const { client, poem, agent, hunksAt, decide } = await openPoem();
  await agent.write(poem, lines({ 3: "third", 9: "ninth\n9b", 18: "18th" }));
  const shown = await hunksAt(3, 9, 19);
  expect(shown).toMatchObject({
    filePath: poem,
    hunks: [
      { agent: "Gemini CLI", line: 3, added: 1, removed: ["line 3"] },
      { line: 9, added: 2, removed: ["line 9"] },
      { line: 19, added: 1, removed: ["line 18"] },
    ],
  });
  expect(await client.hears("companion/fileWritten")).toEqual({
    ...{ id: "", agent: "Gemini CLI", filePath: poem, label: "poem.txt" },
    ...{ isNew: false, isWritten: true, before: lines() },
  });
  expect(await decide(shown, "keep", [1])).toEqual({});
  const rest = await hunksAt(3, 19);
  expect(rest.hunks.map(({ id }) => id)).toEqual([shown.hunks[0]?.id, shown.hunks[2]?.id]);
  await expect(decide(shown, "keep", [0])).rejects.toThrow("The file has changed: look again.");
  await decide(rest, "keep", [0, 1]);
  expect((await hunksAt()).revision).toBe("");
  expect(readFileSync(poem, "utf8")).toBe(lines({ 3: "third", 9: "ninth\n9b", 18: "18th" }));
});

test("a hunk is reverted in a buffer with unsaved edits elsewhere, and is no more once that is saved", async () => {
  const { client, poem, agent, hunksAt, decide } = await openPoem(lines().replaceAll("\n", "\r\n"));
  const written = lines({ 3: "third", 18: "18th" }).replaceAll("\n", "\r\n");
  await agent.write(poem, written);
  const shown = await hunksAt(3, 18);
  const buffer = written.replace("line 7", "mine");
  const place = async (content: string) => {
    const params = { filePath: poem, content };
    return client.connection.sendRequest<WrittenHunks>("companion/placeHunks", params);
  };
  const moved = await place(`above\r\n${buffer}`.replace("18th", "mine"));
  expect(moved).toEqual({ ...shown, hunks: [{ ...shown.hunks[0], line: 4 }] });
  const reverted = lines({ 7: "mine", 18: "18th" }).replaceAll("\n", "\r\n");
  expect(await decide(shown, "revert", [0], buffer)).toEqual({
    content: reverted,
    edits: [{ line: 3, added: 1, from: 3, removed: 1 }],
  });
  await expect(decide(shown, "revert", [1], written.replace("18th", "mine"))).rejects.toThrow(
    "poem.txt: you have changed the same lines, and not saved them.",
  );
  expect((await place(reverted)).hunks).toEqual([shown.hunks[1]]);
  // The other one as well, before both are saved.
  const clean = lines({ 7: "mine" }).replaceAll("\n", "\r\n");
  expect(await decide(shown, "revert", [1], reverted)).toMatchObject({ content: clean });
  expect(readFileSync(poem, "utf8")).toBe(written);
  const heard = () => new Feedback(writtenFolder(client.host)).take(toConversation("gemini", "1"));
  expect(heard()).toBeUndefined();
  writeFileSync(poem, clean);
  await eventually(() => expect(heard()).toMatch(/- third\n\+ line 3\n.*\n- 18th\n\+ line 18\n/));
});

test("what a plugin says is saved during a turn is recorded as its user's", async () => {
  const { client, poem, agent } = await openPoem();
  await client.connection.sendNotification("companion/saved", { path: poem });
  await eventually(() => expect(agent.saved()).toEqual([poem]));
});

test("lines that an agent removed are marked in a buffer until they are in it again", async () => {
  const { client, poem, agent, hunksAt } = await openPoem();
  await agent.write(poem, lines().replace("line 1\n", ""));
  const shown = await hunksAt(1);
  const place = async (content: string) => {
    const params = { filePath: poem, content };
    return (await client.connection.sendRequest<WrittenHunks>("companion/placeHunks", params)).hunks;
  };
  expect(await place(lines().replace("line 1\n", "").replace("line 9", "mine"))).toEqual(shown.hunks);
  expect(await place(lines())).toEqual([]);
});

test("without a buffer the server reverts in the file, and deletes one that the agent made", async () => {
  const { client, poem, open, agent, hunksAt, decide } = await openPoem();
  const made = path.join(client.root, "made.txt");
  await open(poem, made);
  await agent.write(poem, lines({ 3: "third", 18: "18th" }));
  await agent.write(made, "1\n2\n");
  const ofMade = await hunksAt(1);
  expect(ofMade.hunks).toMatchObject([{ line: 1, added: 2, removed: [] }]);
  await decide(await hunksAt(3, 18), "revert", [1]);
  expect(readFileSync(poem, "utf8")).toBe(lines({ 3: "third" }));
  await expect(decide(ofMade, "revert", [0], "1\n2\n")).rejects.toThrow("The change made this file");
  await decide(ofMade, "revert", [0]);
  expect(existsSync(made)).toBe(false);
});

test("hunks of several turns are one where they touch, and go with all of them", async () => {
  const { client, poem, agent, hunksAt, decide } = await openPoem();
  await agent.write(poem, lines({ 3: "third", 10: "10th" }));
  await hunksAt(3, 10);
  const other = createWritingAgent(client.host, "codex");
  other.begin("Another");
  await other.write(poem, lines({ 1: "0\nline 1", 3: "3rd\n3b", 10: "10th" }));
  const shown = await hunksAt(1, 4, 12);
  expect(shown.hunks.map(({ agent: name, removed }) => [name, ...removed])).toEqual([
    ["Codex CLI"],
    ["Codex CLI", "line 3"],
    ["Gemini CLI", "line 10"],
  ]);
  await decide(shown, "revert", [1]);
  const rest = await hunksAt(1, 11);
  expect(readFileSync(poem, "utf8")).toBe(lines({ 1: "0\nline 1", 10: "10th" }));
  await decide(rest, "keep", [1]);
  const { rows } = await client.connection.sendRequest<{ rows: { text: string }[] }>("companion/list", {
    list: "written",
  });
  expect(rows).toMatchObject([{ agent: "Codex CLI", text: "modified, +1 −0: Another" }]);
});

test("a file that was written before it is opened is known by the name that the editor uses", async () => {
  const { client, poem, open, agent } = await openPoem();
  const link = path.join(client.root, "link");
  symlinkSync(client.root, link);
  await agent.write(poem, lines({ 5: "5th" }));
  const linked = path.join(link, "poem.txt");
  await open(linked);
  expect(await client.hears("companion/writtenHunks", ({ filePath }) => filePath === linked)).toMatchObject({
    hunks: [{ line: 5, removed: ["line 5"] }],
  });
});

test("from the last hunk of a file an editor goes to the next file, in a circle, and not to what is gone or decided", async () => {
  const { client, poem, agent, hunksAt, decide } = await openPoem();
  const [first, last, gone] = ["a.txt", "z.txt", "gone.txt"].map((name) => path.join(client.root, name));
  const ask = (filePath = "", by = 1, decided: string[] = []) =>
    client.connection.sendRequest<NextHunks>("companion/nextWritten", { filePath, by, decided });
  const next = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).filePath;
  expect(await next(poem)).toBeNull();
  await agent.write(poem, lines({ 3: "third" }));
  expect(await next(poem)).toBeNull();
  for (const each of [first, last, gone]) await agent.write(each ?? "", "1\n");
  await agent.write(path.join(client.root, "..", "elsewhere.txt"), "1\n");
  rmSync(gone ?? "");
  expect([await next(first), await next(poem), await next(last), await next()]).toEqual([
    poem,
    last,
    first,
    first,
  ]);
  expect([await next(first, -1), await next(poem, -1)]).toEqual([last, first]);
  expect(await next(first, 1, [poem])).toBe(last);
  expect(await ask(first)).toEqual(await hunksAt(3));
  expect(await ask()).toMatchObject({ filePath: first, hunks: [{ line: 1, added: 1, removed: [] }] });
  await decide(await hunksAt(3), "keep", [0]);
  expect([await next(first), await next(poem, -1)]).toEqual([last, first]);
});
