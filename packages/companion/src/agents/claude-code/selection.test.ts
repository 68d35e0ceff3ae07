import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { ClaudeClient, claudeLock } from "../../../../testkit/src/fake-cli/claude-code.ts";
import type { ContextFile } from "../../core/context.ts";
import { startCore } from "../../testing/core.ts";
import { toSelection } from "../selection.ts";
import { toMention } from "./connection.ts";

const at = (line: number, character: number) => ({ line, character });

const selectionOf = (file: Partial<ContextFile>) =>
  toSelection({ files: [{ path: "/w/a b.txt", focusedAt: 1, isActive: true, ...file }] });

describe("a selection", () => {
  test("counts from 0, and ends where the editor says", () => {
    const selection = { start: at(2, 1), end: at(4, 3) };
    expect(selectionOf({ cursor: at(9, 9), selectedText: "some text", selection })).toEqual({
      text: "some text",
      filePath: "/w/a b.txt",
      fileUrl: "file:///w/a%20b.txt",
      selection: { start: at(1, 0), end: at(3, 2), isEmpty: false },
    });
  });

  test("of nothing is an open file with its cursor", () => {
    const expected = { start: at(2, 4), end: at(2, 4), isEmpty: true };
    expect(selectionOf({ cursor: at(3, 5) })).toMatchObject({ text: "", selection: expected });
    expect(selectionOf({})).toMatchObject({ selection: { start: at(0, 0), end: at(0, 0) } });
  });

  test("of no file clears the last one", () => {
    const nothing = { text: "", selection: { start: at(0, 0), end: at(0, 0), isEmpty: true } };
    expect(toSelection({ files: [] })).toEqual(nothing);
    expect(toSelection({ files: [{ path: "/w/a", focusedAt: 1 }] })).toEqual(nothing);
  });

  test.each([
    ["with the cursor at its end", at(2, 4), "abc", at(1, 0), at(1, 3)],
    ["with the cursor at its start", at(2, 2), "abc", at(1, 1), at(1, 4)],
    ["of lines with the cursor at its end", at(3, 3), "one\ntw", at(1, 0), at(2, 2)],
    ["of lines with the cursor at its start", at(1, 1), "one\r\ntwo\r\n", at(0, 0), at(2, 0)],
  ])("whose range is not known, %s, is guessed", (_, cursor, selectedText, start, end) => {
    expect(selectionOf({ cursor, selectedText }).selection).toEqual({ start, end, isEmpty: false });
  });
});

test.each([
  [undefined, {}],
  [
    { first: 2, last: 3 },
    { lineStart: 1, lineEnd: 2 },
  ],
])("a mention of the lines %j names them from 0", (lines, named) => {
  expect(toMention({ path: "/w/a", ...(lines && { lines }) })).toEqual({ filePath: "/w/a", ...named });
});

describe("on the wire", () => {
  test("the selection is sent again after every list of tools, up to 8 seconds later", async () => {
    const { companion } = await startCore();
    const client = await ClaudeClient.connect(claudeLock(companion));
    const delays = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => delays.mockRestore());
    await eventually(() => expect(client.sent("selection_changed")).toHaveLength(3));
    await client.ask("tools/list", {});
    expect(delays.mock.calls.map(([, delay]) => delay)).toEqual(
      expect.arrayContaining([300, 1500, 4000, 8000]),
    );
    await eventually(() => expect(client.sent("selection_changed")).toHaveLength(5));
  });

  test("another file's selection reaches every CLI, and one that has not changed none", async () => {
    const { companion, editor, root, events } = await startCore();
    // Those that do not list the tools are sent nothing twice.
    const clients = [
      await ClaudeClient.listen(claudeLock(companion)),
      await ClaudeClient.listen(claudeLock(companion)),
    ];
    for (const client of clients) {
      await eventually(() => expect(client.sent("selection_changed")).toMatchObject([{ text: "" }]));
    }
    const [path, other] = [join(root, "a.txt"), join(root, "b.txt")];
    for (const file of [path, other]) writeFileSync(file, "abc");
    const active = { path, focusedAt: 2, cursor: at(1, 4), selectedText: "abc" };
    editor.look({ files: [active], activePath: path });
    const sent = expect.objectContaining({ text: "abc", filePath: path });
    for (const client of clients) {
      await eventually(() => expect(client.sent("selection_changed")).toContainEqual(sent));
    }
    // Something else has changed: what CLIs of another protocol are sent, this one has already.
    const isOpen = expect.objectContaining({ path: other });
    editor.look({ files: [active, { path: other, focusedAt: 1 }], activePath: path });
    await eventually(() =>
      expect(events.at(-1)).toMatchObject({
        kind: "context-sent",
        context: { files: [{}, isOpen] },
        sessions: 2,
      }),
    );
    editor.look({ files: [{ ...active, selectedText: "ab" }], activePath: path });
    for (const client of clients) {
      await eventually(() =>
        expect(client.sent("selection_changed")).toMatchObject([
          { text: "" },
          { text: "abc" },
          { text: "ab" },
        ]),
      );
    }
  });

  test("what the user keeps from agents is not sent", async () => {
    const { companion, editor, root } = await startCore();
    const client = await ClaudeClient.connect(claudeLock(companion));
    const [secret, open] = [join(root, ".env"), join(root, "a.txt")];
    for (const file of [secret, open]) writeFileSync(file, "TOKEN");
    const look = (path: string) =>
      editor.look({ files: [{ path, focusedAt: 1, selectedText: "TOKEN" }], activePath: path });
    look(secret);
    look(open);
    await eventually(() =>
      expect(client.sent("selection_changed")).toContainEqual(expect.objectContaining({ filePath: open })),
    );
    expect(JSON.stringify(client.heard)).not.toContain(".env");
  });

  test("a mention reaches the CLI in which the user has sent the last prompt", async () => {
    const { companion, root } = await startCore();
    const first = await ClaudeClient.connect(claudeLock(companion));
    const second = await ClaudeClient.connect(claudeLock(companion));
    await first.call("closeAllDiffTabs");
    const path = join(root, "a.txt");
    expect(await companion.send({ mentions: [{ path, lines: { first: 2, last: 3 } }] })).toEqual({
      kind: "sent",
      agent: "Claude Code",
    });
    await eventually(() =>
      expect(first.sent("at_mentioned")).toEqual([{ filePath: path, lineStart: 1, lineEnd: 2 }]),
    );
    expect(second.sent("at_mentioned")).toEqual([]);
  });
});
