import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { createBook, createOwner, toProposal } from "../../testing/reviews.ts";

/** A proposal for a file that is there, in which the user has typed. */
async function editOne(fixture = createBook(), text = "mine", before = "before") {
  const { owner, outcomes } = createOwner("1");
  const path = join(privateFolder(), "a.ts");
  writeFileSync(path, before);
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
  const { book, editor, recovered, results, path, edits } = await editOne(
    createBook(),
    "mine\n",
    "before\r\n",
  );
  expect(editor.accept(path)).toEqual({ taken: true });
  writeFileSync(path, "mine\r\n");
  await vi.waitFor(() => expect(results()).toEqual(["written"]), soon);
  expect([recovered(), readdirSync(edits.folder.path), book.open]).toEqual([[], [], []]);
});

test("edits are not offered when an agent closes its diff and writes them", async () => {
  const { book, recovered, path, edits } = await editOne();
  await book.close("1", path);
  writeFileSync(path, "mine");
  await vi.waitFor(() => expect(readdirSync(edits.folder.path)).toEqual([]), soon);
  expect(recovered()).toEqual([]);
});

test("an accepted text is on disk before its agent hears of it, until the file holds it", async () => {
  const { editor, edits, events, owner, path, results } = await editOne();
  const onDisk = () =>
    readdirSync(edits.folder.path).map((name) => readFileSync(join(edits.folder.path, name), "utf8"));
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

test("an acceptance that is never written is reported, with and without edits", async () => {
  const fixture = await editOne();
  const { book, editor, owner, results, recovered, path } = fixture;
  const plain = `${path}.plain`;
  await book.propose(owner, toProposal(plain, "new"));
  editor.accept(path);
  editor.accept(plain);
  await vi.waitFor(() => expect(results()).toEqual(["not-written", "not-written"]), soon);
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
  expect(readdirSync(edits.folder.path)).toEqual([]);
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
  expect(readdirSync(edits.folder.path)).toHaveLength(1);
  editor.reject(path);
  expect(readdirSync(edits.folder.path)).toEqual([]);
  const other = await editOne({ ...createBook(), editor, book, edits });
  editor.saveDraft(other.path);
  edits.flush();
  editor.edit(other.path, "new");
  editor.saveDraft(other.path);
  expect(readdirSync(edits.folder.path)).toEqual([]);
});

test("what the user has typed is offered when the editor cannot give it back", async () => {
  const { editor, book, recovered, path } = await editOne();
  editor.saveDraft(path);
  editor.hide = async () => {
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
  expect(edits.list()).toMatchObject([{ reason: "late" }]);
});

test("a disk that takes no edits is reported, and the edits are offered from memory", async () => {
  const { editor, edits, events, book, path } = await editOne();
  writeFileSync(edits.folder.path, "a file where the folder should be");
  editor.saveDraft(path);
  edits.flush();
  const warnings = () => events.flatMap((event) => (event.kind === "warning" ? [event.message] : []));
  expect(warnings()).toEqual([
    expect.stringContaining(`Your edits of ${path} cannot be saved in ${edits.folder.path}`),
  ]);
  await book.endSession("1");
  const [entry] = edits.list();
  expect(edits.read(entry?.id ?? "")).toMatchObject({ text: "mine" });
  rmSync(edits.folder.path);
  edits.list();
  expect(readdirSync(edits.folder.path)).toEqual([`${entry?.id}.json`]);
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
