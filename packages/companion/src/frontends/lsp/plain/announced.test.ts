import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type CodeAction, Command } from "vscode-languageserver";
import { eventually } from "../../../../../testkit/src/eventually.ts";
import { toFileUri } from "../file-uri.ts";
import { type AnnouncedClient, announcedClients } from "../testing/announced-clients.ts";
import { discoveryContents } from "../testing/lsp-client.ts";
import { type PlainClient, startPlainClient } from "../testing/plain-client.ts";

/** The first line of a file, from its second character on. */
const range = { start: { line: 0, character: 1 }, end: { line: 0, character: 3 } };

/** An agent proposes a new file; the message with choices, if there is one, is answered so. */
async function propose(options: AnnouncedClient, answer: "Accept" | "nothing") {
  const client = await startPlainClient(options);
  const asked: unknown[] = [];
  client.connection.onRequest("window/showMessageRequest", ({ actions }) => {
    asked.push(actions);
    return answer === "Accept" ? { title: answer } : null;
  });
  const agent = await client.agent();
  const stream = await agent.openStream();
  const filePath = path.join(client.root, "new.txt");
  expect((await agent.call("openDiff", { filePath, newContent: "1\n" })).result).toEqual({ content: [] });
  return { client, stream, filePath, asked };
}

/** An agent listens, and two files are open. */
async function look(options: AnnouncedClient) {
  const client = await startPlainClient(options);
  const stream = await (await client.agent()).openStream();
  const files = ["one.txt", "two.txt"].map((name) => path.join(client.root, name));
  for (const file of files) {
    writeFileSync(file, "some words\n");
    await client.open(file);
  }
  const sent = (openFiles: object[]) =>
    eventually(() => expect(stream.events.at(-1)?.params).toMatchObject({ workspaceState: { openFiles } }));
  const [one = "", two = ""] = files;
  return { client, sent, one, two };
}

/** The code action of this title, in the form in which the editor was given it, once it is offered. */
async function action(client: PlainClient, file: string, title: RegExp) {
  const found = await eventually(async () => {
    const actions: (CodeAction | Command)[] = await client.actions(file, range);
    const one = actions.find((candidate) => title.test(candidate.title));
    if (!one) throw new Error(`no ${title} among: ${actions.map((candidate) => candidate.title).join(", ")}`);
    return one;
  });
  const isBare = Command.is(found);
  return { isBare, command: isBare ? found : found.command };
}

describe.each(Object.entries(announcedClients))("%s, as it is documented", (_, options) => {
  test(`has a proposal as ${options.proposal}`, async () => {
    const { client, asked } = await propose(options, "nothing");
    if (options.proposal === "a document with choices in a message") {
      await eventually(() => expect(asked).toEqual([[{ title: "Accept" }, { title: "Reject" }]]));
    } else {
      const { message } = await client.hears("window/showMessage");
      const isPage = options.proposal === "the review page";
      expect(message).toMatch(isPage ? /Review it at http:/ : /by a code action/);
      expect(asked).toEqual([]);
    }
    expect(client.shown).toHaveLength(options.proposal === "the review page" ? 0 : 1);
    await eventually(() => expect(client.links).toHaveLength(options.proposal === "the review page" ? 1 : 0));
  });

  test("tells which files are open, and no longer the one that is closed", async () => {
    const { client, sent, one, two } = await look(options);
    await sent([{ path: two, isActive: true }, { path: one }]);
    await client.close(two);
    await sent([{ path: one, isActive: true }]);
  });
});

test("a JetBrains IDE is called by its own name", async () => {
  const name = "a JetBrains IDE by an LSP4IJ that does not announce its buttons";
  const client = await startPlainClient(announcedClients[name]);
  expect(await discoveryContents(client.host, "gemini")).toMatchObject({
    ideInfo: { name: "goland", displayName: "GoLand" },
  });
});

test("the settings for Sublime Text that are shipped stand on its page", () => {
  const read = (file: string) =>
    readFileSync(path.join(import.meta.dirname, "../../../../../..", file), "utf8");
  const [, settings = "{}"] =
    /```json\n(\{\s*"clients".*?)```/s.exec(read("docs/editors/other-editors.md")) ?? [];
  expect(JSON.parse(read("editors/sublime/LSP.sublime-settings"))).toEqual(JSON.parse(settings));
});

const having = (fits: (client: AnnouncedClient) => boolean) =>
  Object.entries(announcedClients).filter(([, client]) => fits(client));

describe.each(having(({ proposal }) => proposal !== "the review page"))("%s decides", (_, options) => {
  test(`by ${options.proposal === "a document" ? "a code action" : "the message"} in the document`, async () => {
    const { client, stream, filePath } = await propose(options, "Accept");
    if (options.proposal === "a document") {
      const { command } = await action(client, client.shown[0] ?? "", /^Accept/);
      await client.run(command);
    }
    const { params } = await stream.next(({ method }) => method === "ide/diffAccepted", 20_000);
    expect(params).toEqual({ filePath, content: "1\n" });
  });
});

describe.each(having(({ selection }) => selection !== "not at all"))("%s shares", (_, options) => {
  test(`a selection by ${options.selection}`, async () => {
    const { client, sent, one, two } = await look(options);
    const { isBare, command } = await action(client, one, /^Share selection with Gemini CLI$/);
    expect(isBare).toBe(options.selection === "a command as a code action");
    await client.run(command);
    await client.hears("window/showMessage", ({ message }) => String(message).includes("one.txt"));
    await sent([{ path: one, selectedText: "om", cursor: { line: 1, character: 4 } }, { path: two }]);
  });
});

describe.each(having(({ selection }) => selection === "not at all"))(
  "%s shares no selection",
  (_, options) => {
    test("but the cursor, by a hover", async () => {
      const { client, sent, one, two } = await look(options);
      const params = { textDocument: { uri: toFileUri(one) }, position: range.end };
      expect(await client.connection.sendRequest("textDocument/hover", params)).toBeNull();
      await sent([{ path: one, cursor: { line: 1, character: 4 } }, { path: two }]);
    });
  },
);
