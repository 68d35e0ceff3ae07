import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../../../../testkit/src/eventually.ts";
import { type PlainClient, startPlainClient } from "../testing/plain-client.ts";

const line = (number: number, end = 0) => ({
  start: { line: number, character: 0 },
  end: { line: number, character: end },
});

/** An agent has proposed a change of a file, and the editor shows it. */
async function propose(newContent: string, before: string) {
  const client = await startPlainClient();
  const filePath = path.join(client.root, "a.txt");
  writeFileSync(filePath, before);
  const agent = await client.agent();
  await agent.openStream();
  await agent.call("openDiff", { filePath, newContent });
  return { client, filePath, agent, proposal: client.shown.at(-1) ?? "" };
}

const said = (client: PlainClient, wanted: RegExp) =>
  client.hears("window/showMessage", ({ message }) => wanted.test(String(message)));

/** Runs a command that shows a document. @returns its path */
async function show(client: PlainClient, command: string, name: string): Promise<string> {
  await client.run({ command: `ide-companion.${command}` });
  return eventually(() => {
    const shown = client.shown.findLast((each) => path.basename(each) === name);
    expect(shown).toBeDefined();
    return shown as string;
  });
}

const titles = async (client: PlainClient, list: string, number: number) =>
  (await client.actions(list, line(number))).map(({ title }) => title);

async function act(client: PlainClient, list: string, title: string): Promise<void> {
  const found = (await client.actions(list, line(0))).find((each) => each.title === title);
  expect(found?.title).toBe(title);
  await client.run(found?.command);
}

test("an editor without a plugin lists what was decided, shows a change, and takes it out of its file, unsaved", async () => {
  const { client, filePath, proposal } = await propose("one\n2nd\n", "one\ntwo\n");
  await client.run({ command: "ide-companion.history" });
  await said(client, /Nothing of the kind has been decided/);
  await client.run({ command: "ide-companion.accept" });
  writeFileSync(filePath, "one\n2nd\nmine\n");
  expect(proposal).not.toBe("");
  const list = await eventually(() => show(client, "history", "Decisions.txt"));
  expect(readFileSync(list, "utf8")).toMatch(/^- a\.txt: accepted.* \(Gemini CLI, .*\)\n$/);
  expect(await titles(client, list, 0)).toEqual([
    "a.txt: shows the change",
    "a.txt: undoes",
    "a.txt: puts it in",
  ]);
  expect(await titles(client, list, 1)).toEqual([]);
  await act(client, list, "a.txt: shows the change");
  const diff = await eventually(() => {
    const shown = client.shown.at(-1) ?? "";
    expect(shown).toMatch(/a\.txt\.diff$/);
    return shown;
  });
  expect(readFileSync(diff, "utf8")).toContain("-two\n+2nd\n");
  await act(client, list, "a.txt: undoes");
  await eventually(() => expect(client.documents.get(filePath)?.getText()).toBe("one\ntwo\nmine\n"));
  expect(readFileSync(filePath, "utf8")).toBe("one\n2nd\nmine\n");
});

test("recovered edits are put into a document with its own line ends, and discarded once their user says so twice", async () => {
  const { client, filePath, agent, proposal } = await propose("new\n", "old\n");
  await client.type(proposal, { range: line(0, 3), newText: "mine" });
  await client.lenses(proposal); // what was typed has arrived
  await agent.call("closeDiff", { filePath, suppressNotification: true });
  await said(client, /ide-companion edits restore/);
  writeFileSync(filePath, "old\r\n");
  const list = await eventually(() => show(client, "edits", "Recovered edits.txt"));
  await act(client, list, "a.txt: restores");
  await eventually(() => expect(client.documents.get(filePath)?.getText()).toBe("mine\r\n"));
  await act(client, list, "a.txt: discards");
  await said(client, /Discard your text for a.txt for good\? Choose it once more/);
  await act(client, list, "a.txt: discards");
  await said(client, /Discarded: a.txt/);
  await client.run({ command: "ide-companion.edits" });
  await said(client, /There are no recovered edits/);
});
