import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import type { WritingRules } from "../files/reviewed-file.ts";
import { MemoryEditor } from "../testing/memory-editor.ts";
import { EditsStore } from "./edits/edits-store.ts";
import { openEditsFolder } from "./edits/recovered-edits.ts";
import type { CompanionEvent } from "./events.ts";
import type { Outcome, ReviewOwner } from "./review.ts";
import { Reviews, type ReviewsOptions } from "./reviews.ts";

function createBook(write: ReviewsOptions["writeFile"] = async () => {}, agentAccept = () => true) {
  const editor = new MemoryEditor();
  const events: CompanionEvent[] = [];
  const onEvent = (event: CompanionEvent) => void events.push(event);
  const edits = new EditsStore({
    folder: openEditsFolder(join(privateFolder(), "edits")),
    onWarning: (message) => onEvent({ kind: "warning", message }),
  });
  const book = new Reviews({ editor, edits, onEvent, roots: () => ["/"], agentAccept, writeFile: write });
  onTestFinished(() => book.end());
  const settlements = () =>
    events.flatMap((event) => (event.kind === "diff-settled" ? [event.settlement] : []));
  const results = () => events.flatMap((event) => (event.kind === "file-checked" ? [event.result] : []));
  /** What the user is offered: events and the list must agree. */
  const recovered = () => {
    const sent = events.flatMap((event) => (event.kind === "edits-recovered" ? [event.edits] : []));
    for (const each of sent) expect(edits.read(each.id)).toEqual(each);
    return sent.map(({ filePath, text }) => [filePath, text]);
  };
  return { editor, events, edits, book, settlements, results, recovered };
}

function createOwner(id: string, objectionTo?: ReviewOwner["objectionTo"]) {
  const outcomes: (Outcome & { filePath: string })[] = [];
  const owner: ReviewOwner & { isOver: boolean } = {
    id,
    isOver: false,
    agent: `Agent ${id}`,
    deliver: (outcome, { filePath }) => void outcomes.push({ ...outcome, filePath }),
    ...(objectionTo && { objectionTo }),
  };
  return { owner, outcomes };
}

const toProposal = (filePath: string, newContent: string) => ({ key: filePath, filePath, newContent });

test("the first decision counts, later ones are refused", async () => {
  const { book, editor } = createBook();
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, toProposal("/a", "new"));
  const { decide } = editor.find("/a");
  expect(decide({ kind: "accepted", content: "new" })).toEqual({ taken: true });
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

/** A proposal for a file that is there, in which the user has typed. */
async function editOne(fixture = createBook(), text = "mine") {
  const { owner, outcomes } = createOwner("1");
  const path = join(privateFolder(), "a.ts");
  writeFileSync(path, "before");
  await fixture.book.propose(owner, toProposal(path, "new"));
  fixture.editor.edit(path, text);
  return { ...fixture, owner, outcomes, path };
}

const soon = { timeout: 5000, interval: 20 };

test("edits are offered when an agent closes its diff and the file does not come to hold them, as after Esc in its terminal", async () => {
  const { book, recovered, results, path, edits } = await editOne();
  expect(await book.close("1", path)).toBe("mine");
  expect(edits.list()).toEqual([]);
  await vi.waitFor(() => expect(recovered()).toEqual([[path, "mine"]]), soon);
  expect(results()).toEqual([]);
  expect(edits.list()).toMatchObject([{ filePath: path, agent: "Agent 1" }]);
});

test("edits in a file with CRLF are written, as its agent puts the line ends back", async () => {
  const { book, editor, recovered, results, path, edits } = await editOne(createBook(), "mine\n");
  writeFileSync(path, "before\r\n");
  expect(editor.accept(path)).toEqual({ taken: true });
  writeFileSync(path, "mine\r\n");
  await vi.waitFor(() => expect(results()).toEqual(["written"]), soon);
  expect([recovered(), readdirSync(edits.folder), book.open]).toEqual([[], [], []]);
});

test("edits are not offered when an agent closes its diff and writes them", async () => {
  const { book, recovered, path, edits } = await editOne();
  await book.close("1", path);
  writeFileSync(path, "mine");
  await vi.waitFor(() => expect(readdirSync(edits.folder)).toEqual([]), soon);
  expect(recovered()).toEqual([]);
});

test("an accepted text is on disk before its agent hears of it, until the file holds it", async () => {
  const { editor, edits, events, owner, path, results } = await editOne();
  const onDisk = () =>
    readdirSync(edits.folder).map((name) => readFileSync(join(edits.folder, name), "utf8"));
  let atDelivery: readonly string[] = [];
  owner.deliver = () => {
    atDelivery = onDisk();
  };
  editor.accept(path);
  expect(atDelivery).toEqual([expect.stringContaining('"text":"mine"')]);
  writeFileSync(path, "mine");
  await vi.waitFor(() => expect(results()).toEqual(["written"]), soon);
  expect(onDisk()).toEqual([]);
  expect(events.some(({ kind }) => kind === "edits-recovered")).toBe(false);
});

test("an acceptance that is never written is reported within two seconds, with and without edits", async () => {
  const fixture = await editOne();
  const { book, editor, owner, results, recovered, path } = fixture;
  const plain = `${path}.plain`;
  await book.propose(owner, toProposal(plain, "new"));
  const start = performance.now();
  editor.accept(path);
  editor.accept(plain);
  await vi.waitFor(() => expect(results()).toEqual(["not-written", "not-written"]), soon);
  expect(performance.now() - start).toBeLessThan(3000);
  expect(recovered()).toEqual([[path, "mine"]]);
});

test("edits are offered when the file holds another text than the one accepted", async () => {
  const { editor, results, recovered, path } = await editOne();
  editor.accept(path);
  writeFileSync(path, "of the agent");
  await vi.waitFor(() => expect(results()).toEqual(["overwritten"]), soon);
  expect(recovered()).toEqual([[path, "mine"]]);
});

test("edits that are offered go away once a slow agent has written them, and that is reported", async () => {
  const { editor, edits, results, path } = await editOne();
  editor.accept(path);
  await vi.waitFor(() => expect(edits.list()).toHaveLength(1), soon);
  writeFileSync(path, "mine");
  await vi.waitFor(() => expect(results()).toEqual(["not-written", "written"]), soon);
  expect(readdirSync(edits.folder)).toEqual([]);
});

test("accepted edits are offered at once when their agent proposes the same file again, unless it has written them", async () => {
  const { book, editor, owner, recovered, results, path } = await editOne();
  editor.accept(path);
  await book.propose(owner, toProposal(path, "newer"));
  expect([recovered(), results()]).toEqual([[[path, "mine"]], ["not-written"]]);
  editor.edit(path, "mine again");
  editor.accept(path);
  writeFileSync(path, "mine again");
  await book.propose(owner, toProposal(path, "newest"));
  expect([recovered(), results()]).toEqual([[[path, "mine"]], ["not-written", "written"]]);
});

test("edits are offered when the session ends, when the proposal is replaced and when the companion stops", async () => {
  const fixture = createBook();
  const [ended, replaced, stopped] = [
    await editOne(fixture, "ended"),
    await editOne(fixture, "replaced"),
    await editOne(fixture, "stopped"),
  ];
  await fixture.book.propose(replaced.owner, toProposal(replaced.path, "newer"));
  const other = createOwner("2");
  const path = join(privateFolder(), "b.ts");
  await fixture.book.propose(other.owner, toProposal(path, "new"));
  fixture.editor.edit(path, "of another session");
  await fixture.book.endSession("2");
  await fixture.book.shutDown();
  fixture.book.end();
  expect(fixture.recovered()).toEqual([
    [replaced.path, "replaced"],
    [path, "of another session"],
    [ended.path, "ended"],
    [stopped.path, "stopped"],
  ]);
});

test("what was accepted and not written is offered when the companion stops", async () => {
  const { book, editor, recovered, path } = await editOne();
  editor.accept(path);
  void book.shutDown();
  book.end();
  expect(recovered()).toEqual([[path, "mine"]]);
});

test("edits that the user rejects, or undoes, are not offered", async () => {
  const { editor, book, edits, path } = await editOne();
  editor.saveDraft(path);
  edits.flush();
  expect(readdirSync(edits.folder)).toHaveLength(1);
  editor.reject(path);
  expect(readdirSync(edits.folder)).toEqual([]);
  const other = await editOne({ ...createBook(), editor, book, edits });
  editor.saveDraft(other.path);
  edits.flush();
  editor.edit(other.path, "new");
  editor.saveDraft(other.path);
  expect(readdirSync(edits.folder)).toEqual([]);
});

test("what the user has typed is offered when the editor cannot give it back", async () => {
  const { editor, book, recovered, path } = await editOne();
  editor.saveDraft(path);
  editor.closeDiff = async () => {
    throw new Error("the editor has crashed");
  };
  await book.endSession("1");
  expect(recovered()).toEqual([[path, "mine"]]);
});

test("what the user types after the decision is offered, unless it is what was decided", async () => {
  const { editor, recovered, path, edits } = await editOne();
  const { saveDraft } = editor.find(path);
  editor.accept(path);
  saveDraft("mine");
  expect(recovered()).toEqual([]);
  saveDraft("mine, and later");
  expect(recovered()).toEqual([[path, "mine, and later"]]);
  expect(edits.list()).toMatchObject([{ reason: "You typed this after the change was decided." }]);
});

test("a disk that takes no edits is reported, and the edits are offered from memory", async () => {
  const { editor, edits, events, book, path } = await editOne();
  writeFileSync(edits.folder, "a file where the folder should be");
  editor.saveDraft(path);
  edits.flush();
  const warnings = () => events.flatMap((event) => (event.kind === "warning" ? [event.message] : []));
  expect(warnings()).toEqual([
    expect.stringContaining(`Your edits of ${path} cannot be saved in ${edits.folder}`),
  ]);
  await book.endSession("1");
  const [entry] = edits.list();
  expect(edits.read(entry?.id ?? "")).toMatchObject({ text: "mine" });
  rmSync(edits.folder);
  edits.list();
  expect(readdirSync(edits.folder)).toEqual([`${entry?.id}.json`]);
  expect(warnings().filter((message) => message.includes("cannot be saved"))).toHaveLength(1);
});

test("what the user types while an agent accepts or rejects its own diff is offered", async () => {
  let typed = () => {};
  const { book, editor, settlements, recovered } = createBook(async () => typed());
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, toProposal("/a", "new"));
  editor.edit("/a", "read");
  typed = () => editor.edit("/a", "read, and typed while the file was written");
  await book.accept("1", "/a");
  await book.propose(owner, toProposal("/b", "new"));
  editor.edit("/b", "mine");
  await book.reject("1", "/b");
  expect(settlements()).toEqual([
    { kind: "accepted", content: "read", by: "agent" },
    { kind: "rejected", by: "agent" },
  ]);
  expect(recovered()).toEqual([
    ["/a", "read, and typed while the file was written"],
    ["/b", "mine"],
  ]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(["accepted", "rejected"]);
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
    content === "" ? "It needs a text." : undefined,
  );
  await book.propose(owner, toProposal("/a", "new"));
  editor.edit("/a", "");
  expect(editor.accept("/a")).toEqual({ taken: false, reason: "It needs a text." });
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

test("while a file is being written, a decision in the editor does not count", async () => {
  let finish = () => {};
  const { book, editor } = createBook(() => new Promise((resolve) => (finish = resolve)));
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, toProposal("/a", "x"));
  const { decide } = editor.find("/a");
  const accepting = book.accept("1", "/a");
  await Promise.resolve();
  expect(decide({ kind: "rejected" })).toMatchObject({ taken: false });
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
  const openDiff = editor.openDiff.bind(editor);
  editor.openDiff = async (proposal, decide, saveDraft) => {
    await new Promise<void>((resolve) => (show = resolve));
    await openDiff(proposal, decide, saveDraft);
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
  await book.shutDown();
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
  editor.closeDiff = () => new Promise(() => {});
  void book.shutDown();
  expect(outcomes).toEqual([{ kind: "closed", reason: "shutdown", filePath: "/a" }]);
});

test("an observer that fails keeps no decision from its agent", async () => {
  const editor = new MemoryEditor();
  const book = new Reviews({
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
