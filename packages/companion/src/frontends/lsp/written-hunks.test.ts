import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
  const decide = (
    { filePath, revision }: WrittenHunks,
    action: string,
    [first, last = first]: readonly [number, number?],
    content = readFileSync(filePath, "utf8"),
  ) =>
    client.connection.sendRequest<DecidedHunks>("companion/decideHunks", {
      ...{ filePath, revision, action, content },
      lines: { first, last },
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
  expect(await decide(shown, "keep", [11, 12])).toEqual({ line: 12 });
  expect(await decide(shown, "keep", [10, 12])).toEqual({ line: 8 });
  const rest = await hunksAt(3, 19);
  expect(rest.hunks.map(({ id }) => id)).toEqual([shown.hunks[0]?.id, shown.hunks[2]?.id]);
  await expect(decide(shown, "keep", [3])).rejects.toThrow("The file has changed: look again.");
  await decide(rest, "keep", [3, 19]);
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
  expect(await decide(shown, "revert", [3], buffer)).toEqual({
    content: reverted,
    edits: [{ line: 3, added: 1, from: 3, removed: 1 }],
    line: 2,
  });
  expect(await decide(shown, "revert", [18], written.replace("18th", "mine"))).toEqual({ line: 18 });
  expect((await place(reverted)).hunks).toEqual([shown.hunks[1]]);
  // The other one as well, before both are saved.
  const clean = lines({ 7: "mine" }).replaceAll("\n", "\r\n");
  expect(await decide(shown, "revert", [18], reverted)).toMatchObject({ content: clean });
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
  const ask = (filePath = "", by = 1, content?: string, line = 0) =>
    client.connection.sendRequest<NextHunks>("companion/nextWritten", { filePath, content, line, by });
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
  expect(await ask(first)).toEqual({ ...(await hunksAt(3)), lines: { first: 3, last: 3 } });
  expect(await ask()).toMatchObject({ filePath: first, hunks: [{ line: 1, added: 1, removed: [] }] });
  const place = (content: string) =>
    client.connection.sendRequest("companion/placeHunks", { filePath: poem, content });
  await place(lines());
  expect([await next(first), await next(poem, 1, lines())]).toEqual([last, last]);
  await place(lines({ 3: "third" }));
  await decide(await hunksAt(3), "keep", [3]);
  expect([await next(first), await next(poem, -1)]).toEqual([last, first]);
});

test("in a buffer with unsaved edits an editor goes to hunks and lists them where they are there", async () => {
  const { client, poem, agent, hunksAt } = await openPoem();
  const written = lines({ 3: "third", 9: "ninth\n9b" }).replace("line 20\n", "");
  await agent.write(poem, written);
  const [, ninth, removed] = (await hunksAt(3, 9, 21)).hunks;
  const content = `mine\n${written}`;
  const next = async (line: number, by: number, text = content) => {
    const asked = { filePath: poem, content: text, line, by };
    const { filePath, lines: found } = await client.connection.sendRequest<NextHunks>(
      "companion/nextWritten",
      asked,
    );
    return filePath && found;
  };
  expect([await next(0, 1), await next(4, 1), await next(10, 1)]).toEqual([
    { first: 4, last: 4 },
    { first: 10, last: 11 },
    { first: 21, last: 21 },
  ]);
  expect([await next(21, 1), await next(21, -1), await next(4, -1)]).toEqual([
    null,
    { first: 10, last: 11 },
    null,
  ]);
  await next(0, 1, content.replace("third", "mine"));
  const list = { list: "written" };
  expect(
    await client.connection.sendRequest<{ rows: Pick<WrittenHunks, "hunks">[] }>("companion/list", list),
  ).toMatchObject({
    rows: [
      {
        hunks: [
          { id: ninth?.id, line: 10 },
          { id: removed?.id, line: 22 },
        ],
      },
    ],
  });
});
