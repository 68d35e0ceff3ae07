import { EventEmitter, once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { privateHost } from "../../testing/core.ts";
import { KakounePlugin } from "./kakoune-plugin.ts";

const edits = {
  id: "1a",
  agent: "Toy",
  filePath: "/app/a.txt",
  label: "a.txt",
  at: 0,
  text: "It ended.",
  actions: [],
};

/**
 * A Kakoune session in which a file is written, to a companion that answers so.
 * @returns the first command that follows
 */
async function write(name: string, text: string, answer: object): Promise<string> {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const companion = createMessageConnection(new StreamMessageReader(there), new StreamMessageWriter(back));
  const connection = createMessageConnection(new StreamMessageReader(back), new StreamMessageWriter(there));
  companion.onRequest("companion/list", () => ({ title: "Recovered edits", none: "", rows: [edits] }));
  companion.onRequest("companion/send", () => answer);
  companion.onRequest("companion/review", ({ mode = "asked" }) => ({ message: `It is ${mode}.` }));
  for (const each of [companion, connection]) each.listen();
  const done = new EventEmitter<{ command: [string] }>();
  const send = async (_: string, commands: string) => void done.emit("command", commands);
  const plugin = new KakounePlugin({ connection, name: "s", send, host: privateHost() });
  onTestFinished(async () => {
    await plugin.close();
    connection.dispose();
    companion.dispose();
  });
  const said = once(done, "command");
  writeFileSync(path.join(plugin.session.folder, name), text);
  return String((await said)[0]);
}

test.each([
  [{ message: "The prompt of Claude Code has the reference" }, "The prompt of Claude Code has the reference"],
  [{ message: "It is {place}", copy: "@a.txt " }, "set-register dquote '@a.txt '"],
])("who sends a line hears what became of it: %o", async (answer, sentence) => {
  expect(await write("send", "'/app/a.txt' '9' '1.1,1.3' 'end'", answer)).toContain(sentence);
});

test("recovered edits are listed in the client in which the user asks", async () => {
  expect(await write("list.edits.client1", "", {})).toContain("evaluate-commands -client 'client1' 'menu ");
});

test.each([
  ["review.before.client1", "It is before."],
  ["review..client1", "It is asked."],
  ["review.never.client1", "There is no never, only before, after, off."],
])("when the user reviews is said and set: %s", async (name, sentence) => {
  expect(await write(name, "", {})).toContain(sentence);
});
