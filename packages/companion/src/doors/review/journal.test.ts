import { expect, test } from "vitest";
import type { Settlement } from "../../companion-event.ts";
import type { Proposal } from "../../editor.ts";
import { createJournal, outcomeText } from "./journal.ts";
import type { JournalEntry } from "./protocol.ts";

const proposal: Proposal = {
  id: "1",
  sessionId: "s",
  agent: "Gemini CLI",
  filePath: "/project/a.ts",
  newContent: "proposed",
  openedAt: 0,
};
const figures = { label: "a.ts", added: 1, removed: 2 };
const closed = (unsavedEdits?: string): Settlement => ({
  kind: "closed",
  reason: "agent",
  ...(unsavedEdits === undefined ? {} : { unsavedEdits }),
});

function journalOf(limits = { entries: 200, keptBytes: 1000 }) {
  const dropped: JournalEntry[] = [];
  let changes = 0;
  const journal = createJournal({
    limits,
    onChange: () => {
      changes += 1;
    },
    onDropped: (entry) => dropped.push(entry),
  });
  const record = (wireId: string, settlement: Settlement, draft = "proposed") =>
    journal.record({ proposal, settlement, wireId, draft, figures });
  return { journal, record, dropped, changes: () => changes };
}

test.each<[string, Settlement]>([
  ["accepted", { kind: "accepted", content: "proposed", by: "user" }],
  ["accepted with your edits", { kind: "accepted", content: "mine", by: "user" }],
  ["accepted by Gemini CLI", { kind: "accepted", content: "proposed", by: "agent" }],
  ["accepted by Gemini CLI with your edits", { kind: "accepted", content: "mine", by: "agent" }],
  ["rejected", { kind: "rejected", by: "user" }],
  ["rejected by Gemini CLI", { kind: "rejected", by: "agent" }],
  ["decided in the terminal", { kind: "closed", reason: "agent" }],
  ["replaced by a newer proposal", { kind: "closed", reason: "replaced" }],
  ["its CLI went away", { kind: "closed", reason: "session-ended" }],
  ["the companion stopped", { kind: "closed", reason: "shutdown" }],
])("an outcome is told as: %s", (text, settlement) => {
  expect(outcomeText(proposal, settlement)).toBe(text);
});

test("entries come newest first, with their figures", () => {
  const { journal, record } = journalOf();
  record("w.1", { kind: "rejected", by: "user" });
  const id = record("w.2", closed("mine"));
  expect(journal.entries).toHaveLength(2);
  expect(journal.entries[0]).toEqual({
    id,
    at: expect.any(Number),
    agent: "Gemini CLI",
    filePath: "/project/a.ts",
    label: "a.ts",
    added: 1,
    removed: 2,
    outcome: "closed",
    text: "decided in the terminal",
    hasUnsavedEdits: true,
  });
  journal.correct(id, { label: "a.ts", added: 5, removed: 6 });
  expect(journal.entries[0]).toMatchObject({ added: 5, removed: 6 });
});

test("edits that no agent took are kept until they are discarded", () => {
  const { journal, record } = journalOf();
  const id = record("w.1", closed("mine"));
  expect(journal.find(id)).toEqual({ filePath: "/project/a.ts", unsavedEdits: "mine" });
  expect(journal.holds("/project/a.ts")).toBe(true);
  journal.discard(id);
  expect(journal.find(id)).toBeUndefined();
  expect(journal.entries).toEqual([]);
  expect(journal.holds("/project/a.ts")).toBe(false);
});

test("a text that comes after the decision is kept", () => {
  const { journal, record, changes } = journalOf();
  const id = record("w.1", { kind: "accepted", content: "theirs", by: "user" });
  expect(journal.keepLate("w.1", "mine \uD800", "accept")).toEqual({
    outcome: "accepted with your edits",
    isKept: true,
  });
  expect(journal.find(id)).toMatchObject({ unsavedEdits: "mine \uD800" });
  expect(journal.entries[0]).toMatchObject({ hasUnsavedEdits: true });
  expect(changes()).toBe(2);
});

test("a late text that is the proposal, the outcome or the text at closing is nothing new", () => {
  const { journal, record } = journalOf();
  record("w.1", { kind: "accepted", content: "final", by: "user" });
  record("w.2", closed(), "draft taken by the agent");
  for (const text of ["proposed", "final"])
    expect(journal.keepLate("w.1", text, "accept")?.isKept).toBe(false);
  expect(journal.keepLate("w.2", "draft taken by the agent", "draft")?.isKept).toBe(false);
  expect(journal.entries.some(({ hasUnsavedEdits }) => hasUnsavedEdits)).toBe(false);
});

test("a rejected change keeps no late draft, but a late acceptance from another page", () => {
  const { journal, record } = journalOf();
  record("w.1", { kind: "rejected", by: "user" });
  expect(journal.keepLate("w.1", "mine", "draft")?.isKept).toBe(false);
  expect(journal.keepLate("w.1", "mine", "accept")?.isKept).toBe(true);
});

test("an accepted text that never came to the file is kept beside its decision", () => {
  const { journal, record, changes } = journalOf();
  const id = record("w.1", { kind: "accepted", content: "mine", by: "user" });
  expect(journal.keepUntaken("w.1", "mine")).toBe(true);
  expect(journal.find(id)).toEqual({ filePath: "/project/a.ts", unsavedEdits: "mine" });
  expect(journal.entries).toMatchObject([
    { id, outcome: "accepted", text: "accepted with your edits, but not written to the file" },
  ]);
  expect(changes()).toBe(2);
});

test("an accepted text that never came to the file takes no other kept text's place", () => {
  const { journal, record } = journalOf();
  const id = record("w.1", { kind: "accepted", content: "mine", by: "user" });
  journal.keepLate("w.1", "another page's", "accept");
  expect(journal.keepUntaken("w.1", "mine")).toBe(false);
  expect(journal.keepUntaken("w.2", "mine")).toBe(false);
  expect(journal.find(id)).toMatchObject({ unsavedEdits: "another page's" });
});

test("a proposal that nobody remembers is told from one that is settled", () => {
  const { journal, record } = journalOf();
  record("w.1", { kind: "rejected", by: "user" });
  expect(journal.outcomeOf("w.1")).toBe("rejected");
  expect(journal.outcomeOf("w.2")).toBeUndefined();
  expect(journal.keepLate("w.2", "mine", "accept")).toBeUndefined();
});

test("the oldest entry without kept edits makes room", () => {
  const { journal, record, dropped } = journalOf({ entries: 3, keptBytes: 1000 });
  record("w.1", closed("kept"));
  record("w.2", closed());
  record("w.3", closed("kept too"));
  record("w.4", closed());
  expect(journal.outcomeOf("w.1")).toBeDefined();
  expect(journal.outcomeOf("w.2")).toBeUndefined();
  expect(dropped).toEqual([]);
});

test("when all hold edits the oldest go, and that is told", () => {
  const { journal, record, dropped } = journalOf({ entries: 2, keptBytes: 1000 });
  for (const wireId of ["w.1", "w.2", "w.3"]) record(wireId, closed(`edits of ${wireId}`));
  expect(journal.outcomeOf("w.1")).toBeUndefined();
  expect(dropped).toHaveLength(1);
});

test("kept edits have a limit together: the oldest go, and that is told", () => {
  const { journal, record, dropped } = journalOf({ entries: 200, keptBytes: 100 });
  const first = record("w.1", closed("x".repeat(30)));
  const second = record("w.2", closed("y".repeat(30)));
  expect(journal.find(first)).toEqual({ filePath: "/project/a.ts" });
  expect(journal.find(second)).toMatchObject({ unsavedEdits: "y".repeat(30) });
  expect(dropped).toMatchObject([{ id: first, hasUnsavedEdits: false }]);
});
