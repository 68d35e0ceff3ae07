import { expect, test } from "vitest";
import { createBook, createOwner, toProposal } from "../../testing/reviews.ts";

/** A change of a file that is not there. */
async function propose(newContent: string) {
  const fixture = createBook();
  await fixture.book.propose(createOwner("1").owner, toProposal("/a", newContent));
  return { ...fixture, change: fixture.editor.find("/a").change };
}

test("where a change differs from its file is compared once for each text", async () => {
  const { change } = await propose("one\ntwo\n");
  const { hunks } = change;
  expect([change.added, change.removed, hunks]).toEqual([2, 0, [{ line: 1, added: 2, from: 1, removed: 0 }]]);
  expect(change.hunks).toBe(hunks);
  change.write("one\n");
  expect([change.added, change.revision]).toEqual([1, 1]);
});

test("a text that a change has already is no other revision", async () => {
  const { change } = await propose("new");
  change.write("new");
  expect(change.revision).toBe(0);
});

test("a text that comes after the end can be recovered, unless it is what was proposed or stood there", async () => {
  const { book, change, edits, editor, recovered } = await propose("proposed");
  editor.edit("/a", "theirs");
  await book.endSession("1");
  expect(recovered()).toEqual([["/a", "theirs"]]);
  for (const text of ["theirs", "proposed", "mine \uD800", "mine, and more"]) change.write(text);
  expect(edits.list().map(({ id }) => edits.read(id)?.text)).toEqual(
    expect.arrayContaining(["theirs", "mine, and more"]),
  );
  expect(edits.list()).toHaveLength(2);
});

test("no decision counts after the end", async () => {
  const { book, change } = await propose("new");
  await book.close("1", "/a");
  expect(change.isOver).toBe(true);
  expect(change.decide({ kind: "accepted" })).toEqual({ taken: false, reason: { code: "decided" } });
});
