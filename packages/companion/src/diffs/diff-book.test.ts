import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Manners, plainManners } from "../agents/agent.ts";
import type { CompanionEvent } from "../companion-event.ts";
import { privateFolder } from "../testing/core.ts";
import { MemoryEditor } from "../testing/memory-editor.ts";
import { DiffBook } from "./diff-book.ts";
import type { DiffOwner, Taken } from "./diff-owner.ts";
import type { Outcome } from "./outcome.ts";

function createBook(write = async () => {}) {
  const editor = new MemoryEditor();
  const events: CompanionEvent[] = [];
  const book = new DiffBook({ editor, onEvent: (event) => events.push(event), writeFile: write });
  const settlements = () =>
    events.flatMap((event) => (event.kind === "diff-settled" ? [event.settlement] : []));
  const untaken = () =>
    events.flatMap((event) =>
      event.kind === "edits-untaken" ? [[event.proposal.filePath, event.content]] : [],
    );
  return { editor, events, book, settlements, untaken };
}

function createOwner(id: string, manners: Partial<Manners> = {}) {
  const outcomes: Outcome[] = [];
  /** By path, whether it has heard of its outcome. */
  const taken = new Map<string, Taken>();
  const owner: DiffOwner & { isOver: boolean } = {
    id,
    isOver: false,
    hasTaken: (path) => taken.get(path) ?? "yes",
    forgetOutcomes: (path) => void taken.delete(path),
    agent: `Agent ${id}`,
    manners: { ...plainManners, takesClosedText: false, ignoresEmptyText: true, ...manners },
    deliver(outcome) {
      outcomes.push(outcome);
      taken.set(outcome.filePath, "no");
    },
  };
  return { owner, outcomes, taken };
}

test("the first decision counts, later ones are told so", async () => {
  const { book, editor } = createBook();
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, "/a", "new");
  const { decide } = editor.find("/a");
  expect(decide({ kind: "accepted", content: "new" })).toEqual({ taken: true });
  expect(decide({ kind: "rejected" })).toMatchObject({ taken: false });
  expect(outcomes).toEqual([{ kind: "accepted", filePath: "/a", content: "new" }]);
  expect(book.open).toEqual([]);
});

test("a second proposal of the same session for the same path takes the first one's place", async () => {
  const { book, editor, settlements } = createBook();
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, "/a", "first");
  editor.edit("/a", "first, edited");
  await book.propose(owner, "/a", "second");
  expect(book.open.map(({ newContent }) => newContent)).toEqual(["second"]);
  expect([...editor.diffs.values()].map(({ text }) => text)).toEqual(["second"]);
  expect(settlements()).toEqual([{ kind: "closed", reason: "replaced", unsavedEdits: "first, edited" }]);
  expect(outcomes).toEqual([]);
});

test("paths are compared exactly, never normalised", async () => {
  const { book } = createBook();
  const { owner } = createOwner("1");
  await book.propose(owner, "/a", "x");
  await book.propose(owner, "/./a", "x");
  expect(book.open).toHaveLength(2);
});

test("closing for the agent sends a rejection, or nothing when it is suppressed", async () => {
  const { book, editor } = createBook();
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, "/a", "new");
  expect(await book.close("1", "/a", { suppressNotification: true })).toBe("new");
  expect(outcomes).toEqual([]);
  await book.propose(owner, "/a", "new");
  editor.edit("/a", "edited");
  expect(await book.close("1", "/a")).toBe("edited");
  expect(outcomes).toEqual([{ kind: "rejected", filePath: "/a" }]);
});

test("edits that the agent will not take are kept, those it takes are not offered again", async () => {
  const { book, editor, settlements } = createBook();
  const deaf = createOwner("1").owner;
  const attentive = createOwner("2", { takesClosedText: true }).owner;
  await book.propose(deaf, "/a", "new");
  editor.edit("/a", "mine");
  await book.close("1", "/a", { suppressNotification: true });
  await book.propose(attentive, "/a", "new");
  editor.edit("/a", "mine");
  await book.close("2", "/a", { suppressNotification: true });
  expect(settlements()).toEqual([
    { kind: "closed", reason: "agent", unsavedEdits: "mine" },
    { kind: "closed", reason: "agent" },
  ]);
});

test("edits are kept when the agent that closes its diff is gone before it has their text", async () => {
  const { book, editor, settlements } = createBook();
  const { owner } = createOwner("1", { takesClosedText: true });
  await book.propose(owner, "/a", "new");
  editor.edit("/a", "mine");
  await book.close("1", "/a", { isAwaited: () => false });
  await book.propose(owner, "/a", "new");
  editor.edit("/a", "mine");
  const closing = book.close("1", "/a");
  owner.isOver = true;
  await closing;
  const kept = { kind: "closed", reason: "agent", unsavedEdits: "mine" };
  expect(settlements()).toEqual([kept, kept]);
});

/** The user accepts a proposal with edits of his own. */
async function acceptEdited(
  { book, editor }: ReturnType<typeof createBook>,
  owner: DiffOwner,
  path: string,
  text: string,
): Promise<void> {
  await book.propose(owner, path, "new");
  editor.edit(path, text);
  editor.accept(path);
}

test("accepted edits of an agent that dies before it has taken them are kept", async () => {
  const stage = createBook();
  const dies = createOwner("1");
  const lives = createOwner("2");
  const folder = privateFolder();
  const [path, other] = [join(folder, "a"), join(folder, "b")];
  await acceptEdited(stage, dies.owner, path, "mine");
  await acceptEdited(stage, lives.owner, other, "mine too");
  await acceptEdited(stage, dies.owner, other, "new");
  dies.owner.isOver = true;
  await stage.book.endSession("1");
  await stage.book.endSession("1");
  expect(stage.untaken()).toEqual([[path, "mine"]]);
});

test("accepted edits are kept when their agent proposes the same file anew before it has taken them", async () => {
  const stage = createBook();
  const { owner } = createOwner("1");
  const folder = privateFolder();
  const [path, other] = [join(folder, "a"), join(folder, "b")];
  await acceptEdited(stage, owner, path, "mine");
  await acceptEdited(stage, owner, other, "mine too");
  await stage.book.propose(owner, path, "newer");
  expect(stage.untaken()).toEqual([[path, "mine"]]);
});

test("accepted edits are not offered again once their agent has taken them, or their file holds them", async () => {
  const stage = createBook();
  const { owner, taken } = createOwner("1");
  const folder = privateFolder();
  const [heard, written, changed] = ["heard", "written", "changed"].map((name) => join(folder, name));
  for (const path of [heard, written, changed])
    await acceptEdited(stage, owner, path ?? "", "\uFEFFmine\r\n");
  taken.set(heard ?? "", "yes");
  writeFileSync(written ?? "", "\uFEFFmine\r\n");
  writeFileSync(changed ?? "", "mine\n");
  await stage.book.endSession("1");
  expect(stage.untaken()).toEqual([[changed, "\uFEFFmine\r\n"]]);
});

test("accepted edits are kept when nobody knows whether their agent has read them, and it has not touched the file", async () => {
  const stage = createBook();
  const { owner, taken } = createOwner("1");
  const folder = privateFolder();
  const [still, wrote] = [join(folder, "still"), join(folder, "wrote")];
  for (const path of [still, wrote]) {
    writeFileSync(path, "before");
    await acceptEdited(stage, owner, path, "mine");
    taken.set(path, "perhaps");
  }
  writeFileSync(wrote, "mine, in other words");
  await stage.book.endSession("1");
  expect(stage.untaken()).toEqual([[still, "mine"]]);
});

test("what the user types while an agent accepts or rejects its own diff is kept", async () => {
  let typed = () => {};
  const { book, editor, settlements } = createBook(async () => typed());
  const { owner, outcomes } = createOwner("1", { takesClosedText: true });
  await book.propose(owner, "/a", "new");
  editor.edit("/a", "read");
  typed = () => editor.edit("/a", "read, and typed while the file was written");
  await book.accept("1", "/a");
  await book.propose(owner, "/b", "new");
  editor.edit("/b", "mine");
  await book.reject("1", "/b");
  expect(settlements()).toEqual([
    {
      kind: "accepted",
      content: "read",
      by: "agent",
      unsavedEdits: "read, and typed while the file was written",
    },
    { kind: "rejected", by: "agent", unsavedEdits: "mine" },
  ]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(["accepted", "rejected"]);
});

test("a session that ends closes its own diffs only", async () => {
  const { book, editor } = createBook();
  const one = createOwner("1");
  const two = createOwner("2");
  await book.propose(one.owner, "/a", "x");
  await book.propose(one.owner, "/b", "x");
  await book.propose(two.owner, "/a", "x");
  await book.endSession("1");
  expect(book.open.map(({ sessionId, filePath }) => [sessionId, filePath])).toEqual([["2", "/a"]]);
  expect(editor.diffs.size).toBe(1);
  expect(one.outcomes).toEqual([]);
});

test("an accepted empty text is not taken where the agent would write its own instead", async () => {
  const { book, editor } = createBook();
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, "/a", "new");
  expect(editor.find("/a").decide({ kind: "accepted", content: "" })).toMatchObject({
    taken: false,
    reason: expect.stringContaining("does not take an empty text"),
  });
  expect(book.open).toHaveLength(1);
  await book.propose(owner, "/empty", "");
  expect(editor.accept("/empty")).toEqual({ taken: true });
  expect(outcomes).toEqual([{ kind: "accepted", filePath: "/empty", content: "" }]);
});

test("a diff that cannot be shown leaves nothing behind", async () => {
  const { book, editor, events } = createBook();
  editor.failure = new Error("no window");
  await expect(book.propose(createOwner("1").owner, "/a", "x")).rejects.toThrow(
    "no diff of /a can be shown: no window",
  );
  expect([book.open, events]).toEqual([[], []]);
});

test("a file that cannot be written leaves its diff open and undecided", async () => {
  const { book, editor } = createBook(async () => {
    throw new Error("EROFS");
  });
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, "/a", "x");
  await expect(book.accept("1", "/a")).rejects.toThrow("/a could not be written, its diff stays open: EROFS");
  expect(book.open).toHaveLength(1);
  expect(editor.accept("/a")).toEqual({ taken: true });
  expect(outcomes).toHaveLength(1);
});

test("while a file is being written, a decision in the editor does not count", async () => {
  let finish = () => {};
  const { book, editor } = createBook(() => new Promise((resolve) => (finish = resolve)));
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, "/a", "x");
  const { decide } = editor.find("/a");
  const accepting = book.accept("1", "/a");
  await Promise.resolve();
  expect(decide({ kind: "rejected" })).toMatchObject({ taken: false });
  finish();
  await accepting;
  expect(outcomes).toEqual([{ kind: "accepted", filePath: "/a", content: "x" }]);
});

test("a session has 64 diffs open at most", async () => {
  const { book } = createBook();
  const { owner } = createOwner("1");
  for (let index = 0; index < 64; index += 1) await book.propose(owner, `/${index}`, "x");
  await expect(book.propose(owner, "/64", "x")).rejects.toThrow("64 at most");
  await book.propose(owner, "/0", "replaced");
  await book.propose(createOwner("2").owner, "/64", "x");
  expect(book.open).toHaveLength(65);
});

test("a session that ends while its diff is being opened leaves none behind", async () => {
  const { book, editor, events } = createBook();
  let show = () => {};
  const openDiff = editor.openDiff.bind(editor);
  editor.openDiff = async (proposal, decide) => {
    await new Promise<void>((resolve) => (show = resolve));
    await openDiff(proposal, decide);
  };
  const proposing = book.propose(createOwner("1").owner, "/a", "x");
  const ending = book.endSession("1");
  show();
  await Promise.all([proposing, ending]);
  expect(editor.diffs.size).toBe(0);
  expect(events.map(({ kind }) => kind)).toEqual(["diff-settled"]);
});

test("a proposal that arrives after its session's end, or the companion's, is not left on the screen", async () => {
  const { book, editor } = createBook();
  const gone = createOwner("1").owner;
  gone.isOver = true;
  await expect(book.propose(gone, "/a", "x")).rejects.toThrow(
    "no diff of /a can be shown: its session is over",
  );
  await book.shutDown();
  await expect(book.propose(createOwner("2").owner, "/a", "x")).rejects.toThrow("its session is over");
  expect([book.open, editor.diffs.size]).toEqual([[], 0]);
});

test("a diff whose file could not be written is not left on the screen when its session has ended or replaced it meanwhile", async () => {
  let meanwhile = async () => {};
  const { book, editor, settlements } = createBook(async () => {
    await meanwhile();
    throw new Error("EROFS");
  });
  const { owner } = createOwner("1");
  await book.propose(owner, "/a", "first");
  meanwhile = () => book.propose(owner, "/a", "second");
  await expect(book.accept("1", "/a")).rejects.toThrow(
    "/a could not be written, its diff has been closed: EROFS",
  );
  expect([...editor.diffs.values()].map(({ text }) => text)).toEqual(["second"]);
  meanwhile = async () => {
    owner.isOver = true;
    await book.endSession("1");
  };
  await expect(book.accept("1", "/a")).rejects.toThrow("has been closed");
  expect([book.open, editor.diffs.size]).toEqual([[], 0]);
  expect(settlements()).toEqual([
    { kind: "closed", reason: "replaced" },
    { kind: "closed", reason: "session-ended" },
  ]);
});

test("a byte order mark that the agent forgot is given back, and none is invented", async () => {
  const { book, editor } = createBook();
  const { owner } = createOwner("1", { dropsByteOrderMark: true });
  const folder = privateFolder();
  const [marked, plain] = [join(folder, "marked"), join(folder, "plain")];
  writeFileSync(marked, "\uFEFFold");
  writeFileSync(plain, "old");
  await book.propose(owner, marked, "new");
  await book.propose(owner, plain, "new");
  await book.propose(owner, join(folder, "new"), "new");
  await book.propose(owner, folder, "new");
  expect([...editor.diffs.values()].map(({ text }) => text)).toEqual(["\uFEFFnew", "new", "new", "new"]);
  await book.propose(owner, marked, "\uFEFFnew");
  expect(editor.find(marked).text).toBe("\uFEFFnew");
});

test("the end of the companion rejects what is open, for those who would wait on, whether or not the editor answers", async () => {
  const { book, editor } = createBook();
  const waits = createOwner("1", { outwaitsCompanion: true });
  const leaves = createOwner("2");
  await book.propose(waits.owner, "/a", "new");
  await book.propose(leaves.owner, "/a", "new");
  editor.closeDiff = () => new Promise(() => {});
  void book.shutDown();
  expect(waits.outcomes).toEqual([{ kind: "rejected", filePath: "/a" }]);
  expect(leaves.outcomes).toEqual([]);
});

test("an observer that fails keeps no decision from its agent", async () => {
  const editor = new MemoryEditor();
  const book = new DiffBook({
    editor,
    onEvent: ({ kind }) => {
      if (kind === "diff-settled") throw new Error("the log is closed");
    },
  });
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, "/a", "new");
  expect(() => editor.find("/a").decide({ kind: "rejected" })).toThrow("the log is closed");
  expect(outcomes).toEqual([{ kind: "rejected", filePath: "/a" }]);
});
