import { writeFileSync } from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { privateHost } from "../../testing/core.ts";
import { createProposalFolder } from "../lsp/plain/proposal-folder.ts";
import { ListBuffers } from "./list-buffers.ts";

/** A Kakoune session that only listens, and a companion with these edits. */
function start(root: string, content?: string) {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const companion = createMessageConnection(new StreamMessageReader(there), new StreamMessageWriter(back));
  const connection = createMessageConnection(new StreamMessageReader(back), new StreamMessageWriter(there));
  const edits = {
    id: "0123abcd",
    agent: "Qwen Code",
    filePath: path.join(root, "a.txt"),
    label: "a.txt",
    at: 0,
    text: "It ended.",
    actions: [
      { code: "show", name: "compares it with its file" },
      { code: "discard", name: "discards" },
    ],
  };
  const discarded: unknown[] = [];
  const none = "There are no recovered edits.";
  const rows = content === undefined ? [] : [edits];
  companion.onRequest("companion/list", () => ({ title: "Recovered edits", none, rows }));
  companion.onRequest("companion/act", ({ list, id, action, sure }): object => {
    const { filePath, label } = edits;
    if (action === "show") return { compare: { label, patch: "@@" } };
    if (action === "restore")
      return { put: { filePath, content: content ?? "", what: "your text", onlySaved: false } };
    if (list === "waiting" && sure) return { decide: { accept: action === "accept", ids: ["1", "2"] } };
    if (action === "accept-ahead") return { message: "The rest is accepted", next: "stop-ahead" };
    if (!sure) return { ask: { question: "Discard them?", yes: "Discard" } };
    discarded.push(id);
    return { message: "The edits are discarded.", removed: true };
  });
  companion.onRequest("companion/merge", ({ content, before }) => ({
    content: `${before}${content}`,
    isClean: true,
    edits: [],
  }));
  for (const each of [companion, connection]) each.listen();
  const folder = createProposalFolder(privateHost());
  onTestFinished(() => {
    folder.close();
    connection.dispose();
    companion.dispose();
  });
  const [done, said]: [string[], string[]] = [[], []];
  const decided: unknown[] = [];
  const buffers = new ListBuffers({
    connection,
    session: {
      doIn: async (client, command) => void done.push(`${client}: ${command}`),
      say: (message) => void said.push(message ?? ""),
      take: () => "mine\n",
    },
    folder,
    decide: async (isAccepted, ids) => void decided.push([isAccepted, ids]),
    pathOf: (id) => (id === "0123abcd" ? "/run/1/a.txt" : undefined),
  });
  return { buffers, done, said, discarded, decided };
}

test("recovered edits are chosen in a menu, compared with their file, restored, and discarded after a question", async () => {
  const root = privateFolder();
  writeFileSync(path.join(root, "a.txt"), "old\n");
  const { buffers, done, said, discarded } = start(root, "it's mine\r\n");
  await buffers.choose(["edits", "client0"]);
  expect(done[0]).toContain("client0: menu 'a.txt: It ended. (Qwen Code, ");
  expect(done[0]).toContain("'ide-companion-request act.edits.0123abcd.show'");
  await buffers.act(["edits", "0123abcd", "show", "client0"]);
  expect(done[1]).toMatch(/ide-companion-show-row '.*a\.txt' edits\.0123abcd 'a\.txt'/);
  await buffers.chooseAction(["edits", "0123abcd", "client0"]);
  expect(done[2]).toContain("menu 'discards' 'ide-companion-request act.edits.0123abcd.discard'");
  await buffers.act(["edits", "0123abcd", "restore", "client0"]);
  expect(done[3]).toContain("a.txt' 'it''s mine\n' crlf false 'has your text now");
  await buffers.act(["edits", "0123abcd", "discard", "client0"]);
  expect(done[4]).toContain("menu 'Discard' 'ide-companion-request act.edits.0123abcd.discard.sure'");
  expect([said.at(-1), discarded]).toEqual(["Discard them?", []]);
  await buffers.act(["edits", "0123abcd", "discard", "sure", "client0"]);
  expect(done[5]).toContain("ide-companion-close-row edits.0123abcd");
  expect([said.at(-1), discarded]).toEqual(["The edits are discarded.", ["0123abcd"]]);
});

test("recovered edits with several kinds of line ends are restored with all of them", async () => {
  const { buffers, done } = start("/app", "\uFEFFone\r\ntwo\n");
  await buffers.act(["edits", "0123abcd", "restore", "client0"]);
  expect(done[0]).toContain("a.txt' 'one\r\ntwo\n' lf");
});

test("who asks for a list that is empty hears so, and of one that does not exist nothing is done", async () => {
  const { buffers, done, said } = start("/app");
  await buffers.choose(["edits", "client0"]);
  await expect(buffers.choose(["nonsense", "client0"])).rejects.toThrow();
  expect([done, said]).toEqual([[], ["There are no recovered edits."]]);
});

test("of what waits one is chosen to go to it, and several are decided after one question", async () => {
  const { buffers, done, said, decided } = start("/app", "");
  await buffers.chooseAction(["waiting", "0123abcd", "client0"]);
  expect(done[0]).toContain("menu 'goes to it' 'buffer ''/run/1/a.txt'''");
  await buffers.act(["waiting", "", "reject", "client0"]);
  expect(done[1]).toContain("menu 'Discard' 'ide-companion-request act.waiting..reject.sure'");
  await buffers.act(["waiting", "", "reject", "sure", "client0"]);
  expect(decided).toEqual([[false, ["1", "2"]]]);
  await buffers.act(["waiting", "0123abcd", "accept-ahead", "client0"]);
  expect(said.at(-1)).toBe("The rest is accepted\n:ide-companion-stop-ahead ends that");
});

test("merged edits can be written as soon as the user hears of them", async () => {
  const { buffers, done } = start("/app");
  await buffers.merge(["client0", "/app/a.txt", "theirs, "]);
  expect(done).toEqual([
    expect.stringMatching(
      /ide-companion-put '\/app\/a.txt' 'theirs, mine\n' lf false .*\nide-companion-unguard$/s,
    ),
  ]);
});
