import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../testkit/src/eventually.ts";
import { ClaudeClient, claudeLock } from "../../../testkit/src/fake-cli/claude-code.ts";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { startCore } from "../testing/core.ts";
import { aComment } from "../testing/memory-editor.ts";
import type { Proposal } from "./editor.ts";
import type { Settlement } from "./events.ts";
import { quietTime, Turns } from "./turns.ts";

const accepted: Settlement = { kind: "accepted", content: "x", by: "user" };
const rejected: Settlement = { kind: "rejected", by: "user" };

/** Turns of agents that exist in name alone. */
function createTurns() {
  const turns = new Turns({
    accept: async () => {},
    sharing: { check: async () => false },
    roots: () => ["/project"],
  });
  onTestFinished(() => turns.close());
  const propose = (id: string, sessionId = "s"): Proposal => {
    const about = { id, sessionId, agent: `Agent ${sessionId}`, filePath: `/project/${id}` };
    const proposal: Proposal = { ...about, newContent: "x", base: { kind: "missing" }, openedAt: 0 };
    turns.take({ kind: "diff-opened", proposal });
    return proposal;
  };
  const settle = (proposal: Proposal, settlement: Settlement) =>
    turns.take({ kind: "diff-settled", proposal, settlement });
  return { turns, propose, settle };
}

describe("a turn", () => {
  test("is the proposals of one session, with how many have ended", () => {
    const { turns, propose, settle } = createTurns();
    const first = propose("1");
    propose("2");
    propose("3", "t");
    settle(first, rejected);
    expect(turns.list).toMatchObject([
      { sessionId: "s", agent: "Agent s", waiting: ["2"], decided: 1 },
      { sessionId: "t", agent: "Agent t", waiting: ["3"], decided: 0 },
    ]);
  });

  test("does not count a proposal that a newer one replaces", () => {
    const { turns, propose, settle } = createTurns();
    settle(propose("1"), { kind: "closed", reason: "replaced" });
    expect(turns.list).toMatchObject([{ waiting: [], decided: 0 }]);
  });

  test("goes on while something of it waits, and ends when nothing has for a while", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { turns, propose, settle } = createTurns();
    const first = propose("1");
    vi.advanceTimersByTime(10 * quietTime);
    settle(first, accepted);
    vi.advanceTimersByTime(quietTime - 1);
    const second = propose("2");
    expect(turns.list).toMatchObject([{ decided: 1, waiting: ["2"] }]);
    vi.advanceTimersByTime(quietTime);
    settle(second, accepted);
    vi.advanceTimersByTime(quietTime);
    expect(turns.list).toEqual([]);
    propose("3");
    expect(turns.list).toMatchObject([{ decided: 0, waiting: ["3"] }]);
  });

  test("ends with its session", () => {
    const { turns, propose } = createTurns();
    propose("1");
    const session = { id: "s", agent: "Agent s", client: { name: "", version: "" }, connectedAt: 0 };
    turns.take({ kind: "session-closed", session, reason: "it went away" });
    expect(turns.list).toEqual([]);
  });

  test("is reported to everybody who listens", () => {
    const { turns, propose } = createTurns();
    const onChange = vi.fn();
    const stop = turns.onChange(onChange);
    propose("1");
    expect(onChange).toHaveBeenCalledOnce();
    stop();
    propose("2");
    expect(onChange).toHaveBeenCalledOnce();
  });
});

describe("the rest of a turn is accepted ahead until", () => {
  const isAhead = (turns: Turns) => turns.list[0]?.ahead !== undefined;

  test("the user stops it, or rejects something of it", () => {
    const { turns, propose, settle } = createTurns();
    const first = propose("1");
    const id = turns.list[0]?.id ?? "";
    expect(isAhead(turns)).toBe(false);
    turns.acceptRest(id, []);
    expect(isAhead(turns)).toBe(true);
    turns.stop(id);
    expect(isAhead(turns)).toBe(false);
    turns.acceptRest(id, []);
    propose("2");
    settle(first, rejected);
    expect(isAhead(turns)).toBe(false);
  });

  test("the user decides in the terminal", () => {
    const { turns, propose, settle } = createTurns();
    const first = propose("1");
    turns.acceptRest(turns.list[0]?.id ?? "", []);
    settle(first, { kind: "closed", reason: "agent" });
    expect(isAhead(turns)).toBe(false);
  });

  test("the turn ends: the next one is asked about again", () => {
    const { turns, propose } = createTurns();
    propose("1");
    const id = turns.list[0]?.id ?? "";
    turns.acceptRest(id, []);
    turns.end("s");
    propose("2");
    expect(isAhead(turns)).toBe(false);
    turns.acceptRest(id, []);
    expect(isAhead(turns)).toBe(false);
  });
});

/** A companion with one CLI that proposes changes of files in its folder. */
async function startAgent() {
  const core = await startCore();
  const claude = await ClaudeClient.connect(claudeLock(core.companion));
  const propose = (name: string, text = "new\n") => {
    const path = name.startsWith("/") ? name : join(core.root, name);
    const answer = claude.openDiff(path, text, name);
    return { path, answer, shown: eventually(() => core.editor.find(path)) };
  };
  const { turns } = core.companion;
  const turn = () => turns.list[0]?.id ?? "";
  return { ...core, claude, propose, turns, turn };
}

test("what waits and what comes is accepted with what the user typed, and the history says why", async () => {
  const { companion, editor, propose, turns, turn } = await startAgent();
  const first = propose("a.txt");
  await first.shown;
  editor.edit(first.path, "mine\n");
  editor.saveDraft(first.path);
  turns.acceptRest(turn(), []);
  expect(await first.answer).toEqual(["FILE_SAVED", "mine\n"]);
  expect(await propose("b.txt").answer).toEqual(["FILE_SAVED", "new\n"]);
  expect(turns.list).toMatchObject([{ decided: 2, ahead: { accepted: 2 } }]);
  expect(editor.diffs.size).toBe(0);
  const codes = companion.history.list().map(({ code }) => code);
  expect(codes.sort()).toEqual(["accepted-ahead", "accepted-ahead-edited"]);
});

test("what the user stops while a slow editor is asked for the text waits for them", async () => {
  const { editor, propose, turns, turn } = await startAgent();
  const first = propose("a.txt");
  await first.shown;
  const flush = editor.flush.bind(editor);
  const asked = new Promise<void>((resolve) => {
    editor.flush = async (change) => {
      turns.stop(turn());
      resolve();
      return flush(change);
    };
  });
  turns.acceptRest(turn(), []);
  await asked;
  await propose("b.txt").shown;
  expect(turns.list).toMatchObject([{ decided: 0, waiting: expect.objectContaining({ length: 2 }) }]);
  expect(editor.diffs.size).toBe(2);
});

test("files that hold secrets, that git ignores, that lie elsewhere, and the user's own wait", async () => {
  const { root, editor, propose, turns, turn } = await startAgent();
  const outside = privateFolder();
  writeFileSync(join(outside, "far.txt"), "");
  symlinkSync(join(outside, "far.txt"), join(root, "link.txt"));
  mkdirSync(join(root, "migrations"));
  writeFileSync(join(root, ".gitignore"), "built.txt\n");
  const first = propose("a.txt");
  await first.shown;
  turns.acceptRest(turn(), ["migrations/", "*.sql"]);
  await first.answer;
  const names = [".env", "built.txt", "link.txt", "migrations/1.txt", "x.sql", join(outside, "far.txt")];
  const held = names.map((name) => propose(name));
  const last = propose("b.txt");
  await Promise.all(held.map(({ shown }) => shown));
  expect(await last.answer).toEqual(["FILE_SAVED", "new\n"]);
  // Each of them was looked at before the last one came.
  expect([...editor.diffs.values()].map(({ proposal }) => proposal.filePath)).toEqual(
    held.map(({ path }) => path),
  );
  expect(turns.list).toMatchObject([
    { ahead: { accepted: 2 }, waiting: expect.objectContaining({ length: 6 }) },
  ]);
});

test("a text that its agent would not take waits for its user", async () => {
  const { editor, propose, turns, turn } = await startAgent();
  const empty = propose("none.txt", "");
  await empty.shown;
  turns.acceptRest(turn(), []);
  expect(await propose("b.txt").answer).toEqual(["FILE_SAVED", "new\n"]);
  expect([...editor.diffs.values()].map(({ proposal }) => proposal.filePath)).toEqual([empty.path]);
});

test("a change on which the user has written comments waits for them", async () => {
  const { editor, propose, turns, turn } = await startAgent();
  const first = propose("a.txt");
  await first.shown;
  editor.find(first.path).change.saveComments([aComment]);
  turns.acceptRest(turn(), []);
  expect(await propose("b.txt").answer).toEqual(["FILE_SAVED", "new\n"]);
  expect([...editor.diffs.values()].map(({ proposal }) => proposal.filePath)).toEqual([first.path]);
});

test("a new prompt ends the turn of an agent that says so", async () => {
  const { claude, propose, turns, turn, editor } = await startAgent();
  const first = propose("a.txt");
  await first.shown;
  turns.acceptRest(turn(), []);
  await first.answer;
  await claude.call("closeAllDiffTabs");
  expect(turns.list).toEqual([]);
  await propose("b.txt").shown;
  expect(turns.list).toMatchObject([{ waiting: [expect.any(String)], decided: 0 }]);
  expect(turns.list[0]).not.toHaveProperty("ahead");
  expect(editor.diffs.size).toBe(1);
});

test("what is typed while a change is accepted ahead can be recovered", async () => {
  const { companion, editor, propose, turns, turn } = await startAgent();
  const first = propose("a.txt");
  await first.shown;
  const hide = editor.hide.bind(editor);
  editor.hide = (...given) => {
    editor.edit(first.path, "typed at the last moment\n");
    return hide(...given);
  };
  turns.acceptRest(turn(), []);
  expect(await first.answer).toEqual(["FILE_SAVED", "new\n"]);
  await eventually(() =>
    expect(companion.edits.list().map(({ id }) => companion.edits.read(id)?.text)).toEqual([
      "typed at the last moment\n",
    ]),
  );
});
