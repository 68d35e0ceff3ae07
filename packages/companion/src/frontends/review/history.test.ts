import { expect, test } from "vitest";
import type { Comment, Proposal } from "../../core/editor.ts";
import type { Settlement } from "../../core/events.ts";
import { aComment } from "../../testing/memory-editor.ts";
import { createHistory } from "./history.ts";

const proposal: Proposal = {
  id: "1",
  sessionId: "s",
  agent: "Gemini CLI",
  filePath: "/project/a.ts",
  newContent: "proposed",
  base: { kind: "missing" },
  openedAt: 0,
};
const figures = { label: "a.ts", added: 1, removed: 2 };
const closed: Settlement = { kind: "closed", reason: "agent" };

function historyOf(limits = { entries: 200, units: 1000 }) {
  const late: string[] = [];
  let changes = 0;
  const history = createHistory({
    limits,
    onChange: () => {
      changes += 1;
    },
  });
  const saveDraft = (text: string) => late.push(text);
  const saveComments = (comments: readonly Comment[]) => late.push(...comments.map(({ text }) => text));
  const record = (wireId: string, settlement: Settlement, draft = "proposed") =>
    history.record({
      proposal,
      settlement,
      wireId,
      draft,
      saveDraft,
      saveComments,
      figures,
      before: undefined,
      turn: undefined,
    });
  return { history, record, late, changes: () => changes };
}

test("entries come newest first, with their figures", () => {
  const { history, record } = historyOf();
  record("w.1", { kind: "rejected", by: "user" });
  const id = record("w.2", closed);
  expect(history.entries).toHaveLength(2);
  expect(history.entries[0]).toEqual({
    id,
    proposalId: "w.2",
    at: expect.any(Number),
    agent: "Gemini CLI",
    filePath: "/project/a.ts",
    label: "a.ts",
    added: 1,
    removed: 2,
    outcome: "closed",
    text: "decided in the terminal",
  });
  history.correct(id, { label: "a.ts", added: 5, removed: 6 });
  expect(history.entries[0]).toMatchObject({ added: 5, removed: 6 });
  expect(history.holds("/project/a.ts")).toBe(true);
});

test("an entry says what became of the file, and of the edits as long as they are there", () => {
  const { history, record, changes } = historyOf();
  record("w.1", closed);
  history.noteFile("w.1", "overwritten");
  history.noteEdits("w.1", "0123abcd");
  history.forgetEdits((id) => id === "0123abcd");
  expect(history.entries).toMatchObject([{ fileResult: "overwritten", editsId: "0123abcd" }]);
  history.forgetEdits(() => false);
  expect(history.entries[0]).not.toHaveProperty("editsId");
  expect(changes()).toBe(4);
  history.noteFile("w.2", "written");
  expect(changes()).toBe(4);
});

test("a text that comes after the decision is kept", () => {
  const { history, record, late } = historyOf();
  record("w.1", { kind: "accepted", content: "theirs", by: "user" });
  expect(history.keepLate("w.1", "mine \uD800", "accept")).toEqual({
    outcome: "accepted with your edits",
    isKept: true,
  });
  expect(late).toEqual(["mine \uD800"]);
});

test("a late text that is the proposal, the outcome or the text at closing is nothing new", () => {
  const { history, record, late } = historyOf();
  record("w.1", { kind: "accepted", content: "final", by: "user" });
  record("w.2", closed, "the draft at closing");
  for (const text of ["proposed", "final"])
    expect(history.keepLate("w.1", text, "accept")?.isKept).toBe(false);
  expect(history.keepLate("w.2", "the draft at closing", "draft")?.isKept).toBe(false);
  expect(late).toEqual([]);
});

test("a rejected change keeps no late draft, but a late acceptance from another page", () => {
  const { history, record } = historyOf();
  record("w.1", { kind: "rejected", by: "user" });
  expect(history.keepLate("w.1", "mine", "draft")?.isKept).toBe(false);
  expect(history.keepLate("w.1", "mine", "accept")?.isKept).toBe(true);
});

test("a proposal that nobody remembers differs from one that is settled", () => {
  const { history, record } = historyOf();
  record("w.1", { kind: "rejected", by: "user" });
  expect(history.outcomeOf("w.1")).toBe("rejected");
  expect(history.outcomeOf("w.2")).toBeUndefined();
  expect(history.keepLate("w.2", "mine", "accept")).toBeUndefined();
});

test("the oldest entry makes room", () => {
  const { history, record } = historyOf({ entries: 2, units: 1000 });
  for (const wireId of ["w.1", "w.2", "w.3"]) record(wireId, closed);
  expect(["w.1", "w.2", "w.3"].map((wireId) => history.outcomeOf(wireId) !== undefined)).toEqual([
    false,
    true,
    true,
  ]);
});

test("late texts are taken for the newest entries, as far as their proposed texts fit into memory", () => {
  const { history, record } = historyOf({ entries: 200, units: 10 });
  record("w.1", closed);
  record("w.2", closed);
  expect(history.keepLate("w.1", "mine", "draft")?.isKept).toBe(false);
  expect(history.keepLate("w.2", "mine", "draft")?.isKept).toBe(true);
});

test("an entry without its texts holds nothing of its proposal in memory, not even to take late comments", () => {
  const { history, record, late } = historyOf({ entries: 200, units: 10 });
  record("w.1", closed);
  record("w.2", closed);
  history.commentLate("w.1", [{ ...aComment, text: "too late" }]);
  history.commentLate("w.2", [{ ...aComment, text: "in time" }]);
  expect(late).toEqual(["in time"]);
});
