import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import type { WritingRules } from "../../files/reviewed-file.ts";
import { MemoryEditor } from "../../testing/memory-editor.ts";
import { createBook, createDelivery, createOwner, toProposal } from "../../testing/reviews.ts";
import { EditsStore } from "../edits/edits-store.ts";
import { openEditsFolder } from "../edits/recovered-edits.ts";
import { Reviews } from "./reviews.ts";

test("the first decision counts, later ones are refused", async () => {
  const { book, editor } = createBook();
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, toProposal("/a", "new"));
  const { decide } = editor.find("/a");
  expect(decide({ kind: "accepted" })).toEqual({ taken: true });
  expect(decide({ kind: "rejected" })).toMatchObject({ taken: false });
  expect(outcomes).toEqual([{ kind: "accepted", filePath: "/a", content: "new" }]);
  expect(book.open).toEqual([]);
});

test("a second proposal of the same session for the same path takes the first one's place", async () => {
  const { book, editor, settlements, recovered } = createBook();
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, toProposal("/a", "first"));
  editor.edit("/a", "first, edited");
  await book.propose(owner, toProposal("/a", "second"));
  expect(book.open.map(({ newContent }) => newContent)).toEqual(["second"]);
  expect([...editor.diffs.values()].map(({ text }) => text)).toEqual(["second"]);
  expect(settlements()).toEqual([{ kind: "closed", reason: "replaced" }]);
  expect(recovered()).toEqual([["/a", "first, edited"]]);
  expect(outcomes).toEqual([{ kind: "closed", reason: "replaced", filePath: "/a" }]);
});

test("paths are compared exactly, never normalised", async () => {
  const { book } = createBook();
  const { owner } = createOwner("1");
  await book.propose(owner, toProposal("/a", "x"));
  await book.propose(owner, toProposal("/./a", "x"));
  expect(book.open).toHaveLength(2);
});

test("an agent that closes its diff gets the text as it stood, and hears nothing more", async () => {
  const { book, editor } = createBook();
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, toProposal("/a", "new"));
  editor.edit("/a", "edited");
  expect(await book.close("1", "/a")).toBe("edited");
  expect(outcomes).toEqual([]);
});

test("how a diff ended is reported with what the user had typed in it", async () => {
  const { book, editor, events } = createBook();
  const { owner } = createOwner("1");
  for (const path of ["/a", "/b"]) await book.propose(owner, toProposal(path, "new"));
  editor.edit("/a", "mine");
  editor.saveDraft("/a");
  editor.reject("/a");
  editor.reject("/b");
  const edited = events.flatMap((event) =>
    event.kind === "diff-settled" ? [[event.proposal.filePath, event.edited]] : [],
  );
  expect(edited).toEqual([
    ["/a", "mine"],
    ["/b", undefined],
  ]);
});

test("an agent names its diffs as it likes, several for one file", async () => {
  const { book, editor } = createBook();
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, { key: "tab 1", filePath: "/a", newContent: "one" });
  await book.propose(owner, { key: "tab 2", filePath: "/a", newContent: "two" });
  expect(book.find("1", "tab 2")).toMatchObject({ filePath: "/a", newContent: "two" });
  expect(await book.close("1", "tab 1")).toBe("one");
  await expect(book.close("1", "/a")).rejects.toThrow('no diff of "/a" is open in this session');
  expect(editor.reject("/a")).toEqual({ taken: true });
  expect(outcomes).toEqual([{ kind: "rejected", filePath: "/a" }]);
});

test("a session that ends closes its own diffs only", async () => {
  const { book, editor } = createBook();
  const one = createOwner("1");
  const two = createOwner("2");
  await book.propose(one.owner, toProposal("/a", "x"));
  await book.propose(one.owner, toProposal("/b", "x"));
  await book.propose(two.owner, toProposal("/a", "x"));
  await book.endSession("1");
  expect(book.open.map(({ sessionId, filePath }) => [sessionId, filePath])).toEqual([["2", "/a"]]);
  expect(editor.diffs.size).toBe(1);
  expect(one.outcomes).toEqual(
    ["/a", "/b"].map((filePath) => ({ kind: "closed", reason: "session-ended", filePath })),
  );
  expect(two.outcomes).toEqual([]);
});

test("a text that its agent cannot take is not accepted, and the user reads why", async () => {
  const { book, editor } = createBook();
  const { owner, outcomes } = createOwner("1", (content) =>
    content === "" ? { code: "empty-text" } : undefined,
  );
  await book.propose(owner, toProposal("/a", "new"));
  editor.edit("/a", "");
  expect(editor.accept("/a")).toEqual({ taken: false, reason: { code: "empty-text" } });
  expect(book.open).toHaveLength(1);
  editor.edit("/a", "text");
  expect(editor.accept("/a")).toEqual({ taken: true });
  expect(outcomes).toEqual([{ kind: "accepted", filePath: "/a", content: "text" }]);
});

test("a diff that cannot be shown leaves nothing behind", async () => {
  const { book, editor, events } = createBook();
  editor.failure = new Error("no window");
  await expect(book.propose(createOwner("1").owner, toProposal("/a", "x"))).rejects.toThrow(
    "no diff of /a can be shown: no window",
  );
  expect([book.open, events]).toEqual([[], []]);
});

test("a diff that cannot be shown says so after the one that it was to replace is closed", async () => {
  const { book, editor } = createBook();
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, toProposal("/a", "first"));
  const hide = editor.hide.bind(editor);
  editor.hide = async (...given) => {
    await wait(5);
    return hide(...given);
  };
  // Nothing handles it before then: it must not count as unhandled.
  editor.failure = new Error("a folder is there");
  await expect(book.propose(owner, toProposal("/a", "second"))).rejects.toThrow("a folder is there");
  expect(outcomes).toEqual([{ kind: "closed", reason: "replaced", filePath: "/a" }]);
  expect(book.open).toEqual([]);
});

test("a file that cannot be written leaves its diff open and undecided", async () => {
  const { book, editor } = createBook(async () => {
    throw new Error("EROFS");
  });
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, toProposal("/a", "x"));
  await expect(book.accept("1", "/a")).rejects.toThrow("/a could not be written, its diff stays open: EROFS");
  expect(book.open).toHaveLength(1);
  expect(editor.accept("/a")).toEqual({ taken: true });
  expect(outcomes).toHaveLength(1);
});

test("while a file is being written, a decision in the editor does not count, and its user hears why", async () => {
  let finish = () => {};
  const { book, editor } = createBook(() => new Promise((resolve) => (finish = resolve)));
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, toProposal("/a", "x"));
  const { decide } = editor.find("/a");
  const accepting = book.accept("1", "/a");
  await Promise.resolve();
  const underWay = { code: "agent-decides" };
  expect(decide({ kind: "rejected" })).toEqual({ taken: false, reason: underWay });
  finish();
  await accepting;
  expect(outcomes).toEqual([{ kind: "accepted", filePath: "/a", content: "x" }]);
});

test("an agent accepts only into the open folders, and only the file that it has made its proposal for", async () => {
  const rules: WritingRules[] = [];
  const { book } = createBook(async (_path, _content, each) => void rules.push(each));
  const { owner } = createOwner("1");
  const path = join(privateFolder(), "a");
  await book.propose(owner, toProposal(path, "x"));
  await book.accept("1", path);
  expect(rules).toEqual([{ before: { stamp: "absent" }, within: ["/"] }]);
});

test("where agents may not accept, theirs is refused with a sentence and the diff stays the user's", async () => {
  let agentAccept = false;
  const { book, editor } = createBook(undefined, () => agentAccept);
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, toProposal("/a", "x"));
  await expect(book.accept("1", "/a")).rejects.toThrow(
    "/a was not written, its diff stays open: agents may not accept changes here, only the user may",
  );
  expect(book.open).toHaveLength(1);
  agentAccept = true;
  expect(editor.accept("/a")).toEqual({ taken: true });
  expect(outcomes).toHaveLength(1);
});

test("a session has 64 diffs open at most", async () => {
  const { book } = createBook();
  const { owner } = createOwner("1");
  for (let index = 0; index < 64; index += 1) await book.propose(owner, toProposal(`/${index}`, "x"));
  await expect(book.propose(owner, toProposal("/64", "x"))).rejects.toThrow("64 at most");
  await book.propose(owner, toProposal("/0", "replaced"));
  await book.propose(createOwner("2").owner, toProposal("/64", "x"));
  expect(book.open).toHaveLength(65);
});

test("a session that ends while its diff is being opened leaves none behind", async () => {
  const { book, editor, events } = createBook();
  let show = () => {};
  const showAtOnce = editor.show.bind(editor);
  editor.show = async (change) => {
    await new Promise<void>((resolve) => (show = resolve));
    await showAtOnce(change);
  };
  const proposing = book.propose(createOwner("1").owner, toProposal("/a", "x"));
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
  await expect(book.propose(gone, toProposal("/a", "x"))).rejects.toThrow(
    "no diff of /a can be shown: its session is over",
  );
  void book.shutDown();
  await expect(book.propose(createOwner("2").owner, toProposal("/a", "x"))).rejects.toThrow(
    "its session is over",
  );
  expect([book.open, editor.diffs.size]).toEqual([[], 0]);
});

test("a diff whose file could not be written is not left on the screen when its session has ended or replaced it meanwhile", async () => {
  let meanwhile = async () => {};
  const { book, editor, settlements } = createBook(async () => {
    await meanwhile();
    throw new Error("EROFS");
  });
  const { owner } = createOwner("1");
  await book.propose(owner, toProposal("/a", "first"));
  meanwhile = () => book.propose(owner, toProposal("/a", "second"));
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

test("the end of the companion is an outcome, whether or not the editor answers", async () => {
  const { book, editor } = createBook();
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, toProposal("/a", "new"));
  editor.hide = () => new Promise(() => {});
  void book.shutDown();
  expect(outcomes).toEqual([{ kind: "closed", reason: "shutdown", filePath: "/a" }]);
});

const byAgentOrRule: readonly [string, (book: Reviews, id: string) => Promise<void>, object][] = [
  ["accepts its diff itself", (book) => book.accept("1", "/a"), { kind: "accepted", content: "new" }],
  ["rejects its diff itself", (book) => book.reject("1", "/a"), { kind: "rejected" }],
  [
    "has a rule accept it",
    (book, id) => book.acceptAhead(id, () => true),
    { kind: "accepted", content: "new" },
  ],
];

test.each(byAgentOrRule)(
  "an agent that %s hears so, whether or not the editor answers",
  async (_, end, outcome) => {
    const { book, editor } = createBook();
    const { owner, outcomes } = createOwner("1");
    await book.propose(owner, toProposal("/a", "new"));
    const { id } = editor.find("/a").proposal;
    const closing = new Promise<void>((resolve) => {
      editor.hide = () => new Promise(() => resolve());
    });
    void end(book, id);
    await closing;
    void book.shutDown();
    expect(outcomes).toEqual([{ ...outcome, filePath: "/a" }]);
  },
);

test("an agent has its answer when its diff ends while the editor is still showing it", async () => {
  const { book, editor } = createBook();
  const { owner, outcomes } = createOwner("1");
  editor.show = () => new Promise(() => {});
  const proposing = book.propose(owner, toProposal("/a", "new"));
  void book.shutDown();
  await proposing;
  expect(outcomes).toEqual([{ kind: "closed", reason: "shutdown", filePath: "/a" }]);
});

test("an observer that fails keeps no decision from its agent", async () => {
  const editor = new MemoryEditor();
  const book = new Reviews({
    delivery: createDelivery(),
    editor,
    edits: new EditsStore({ folder: openEditsFolder(join(privateFolder(), "edits")) }),
    roots: () => [],
    onEvent: ({ kind }) => {
      if (kind === "diff-settled") throw new Error("the log is closed");
    },
  });
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, toProposal("/a", "new"));
  expect(() => editor.find("/a").decide({ kind: "rejected" })).toThrow("the log is closed");
  expect(outcomes).toEqual([{ kind: "rejected", filePath: "/a" }]);
});
