import { join } from "node:path";
import { expect, test } from "vitest";
import { EditsStore } from "../../packages/companion/src/core/edits/edits-store.ts";
import { openEditsFolder } from "../../packages/companion/src/core/edits/recovered-edits.ts";
import { thisProcess } from "../../packages/companion/src/system/record-owner.ts";
import { privateFolder } from "../../packages/testkit/src/private-folder.ts";
import { judgeOwed, unpaid } from "./judge-owed.ts";
import type { Connected, Done, Owed, Texts, Tracked } from "./record.ts";

const path = "/project/a.ts";

function leave(folder: ReturnType<typeof openEditsFolder>, id: string, owner: object): void {
  const about = { filePath: path, agent: "Gemini CLI", at: Date.now(), reason: "It ended." };
  folder.write({ id, ...about, proposed: "", text: "typed", ...owner }, false);
}

test("a text that is offered is found next to open proposals that hold the same", () => {
  const folder = openEditsFolder(join(privateFolder(), "edits"));
  const open = ["00000001", "00000009"];
  for (const id of open) leave(folder, id, { owner: thisProcess() });
  const fixture = { owed: [], read: () => undefined, folder, edits: new EditsStore({ folder }) };
  const owed: Owed = { connected: {} as Connected, editor: 0, id: "1", path, text: "typed", since: 0 };
  expect(unpaid(fixture, [owed])).toEqual([owed]);
  leave(folder, "00000005", {});
  expect(unpaid(fixture, [owed, owed])).toEqual([owed]);
  expect(folder.scan().records.map(({ id }) => id)).toEqual(open);
});

test.each([
  ["typed\n", "typed\n", true],
  ["typed\r\n", "\uFEFFtyped\r\n", true],
  ["typed\n", "typed\r\n", true],
  ["\uFEFFtyped\n", "typed\n", false],
  ["typed\r\n", "typed\n", false],
  ["typed\n", "other\n", false],
])("of what was typed %j, a file with %j holds all: %s", (text, held, isHeld) => {
  const folder = openEditsFolder(join(privateFolder(), "edits"));
  const fixture = { owed: [], read: () => Buffer.from(held), folder, edits: new EditsStore({ folder }) };
  const owed: Owed = { connected: {} as Connected, editor: 0, id: "1", path, text, since: 0 };
  expect(unpaid(fixture, [owed])).toEqual(isHeld ? [] : [owed]);
});

test("an empty text may have been in its file for a moment, and another one may not", () => {
  const folder = openEditsFolder(join(privateFolder(), "edits"));
  const fixture = { owed: [], read: () => Buffer.from("other"), folder, edits: new EditsStore({ folder }) };
  const owed = { connected: {} as Connected, editor: 0, id: "1", path, since: 0 };
  expect(unpaid(fixture, [{ ...owed, text: "" }])).toEqual([]);
  expect(unpaid(fixture, [{ ...owed, text: "typed" }])).toHaveLength(1);
});

/** What is missing once the companion was killed that had merged a saved file into a proposal. */
function missingAfterKill(texts: Texts): string[] {
  const connected = { session: { label: "Gemini CLI", behaviour: {} } } as Connected;
  const diff: Tracked = {
    ...{ editor: 1, id: "1", path, connected, isOfThisSequence: true },
    ...{ proposed: "two\n", text: "two\n" },
  };
  const killed: Done = { action: { do: "kill companion", editor: 1 }, screen: new Map([["1", texts]]) };
  const folder = openEditsFolder(join(privateFolder(), "edits"));
  const fixture = { owed: [], read: () => undefined, folder, edits: new EditsStore({ folder }) };
  const complaints: string[] = [];
  const seen = { dones: [killed], sessions: [connected], before: [diff], news: [[], []] };
  judgeOwed(fixture, seen, [{ diff, taken: [], closed: [] }], (text) => void complaints.push(text));
  return complaints;
}

test("what was merged into a proposal is not typed, and what was typed in it is", () => {
  const proposed = "one\ntwo\n";
  expect(missingAfterKill({ proposed, text: proposed })).toEqual([]);
  expect(missingAfterKill({ proposed, text: `${proposed}typed` })).toEqual([
    expect.stringContaining("what was typed is nowhere on disk"),
  ]);
});
