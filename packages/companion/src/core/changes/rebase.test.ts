import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { poll } from "../../../../testkit/src/waiting.ts";
import { writeReviewedFile } from "../../files/reviewed-file.ts";
import { createBook, createOwner, toProposal } from "../../testing/reviews.ts";
import type { Notice } from "../sentences.ts";

const before = "one\ntwo\nthree\nfour\nfive\n";
const proposed = before.replace("five", "FIVE");
const conflict = "<<<<<<< on disk\n5\n||||||| before\nfive\n=======\nFIVE\n>>>>>>> proposed\n";

/** A change of a file that waits. */
async function propose({
  readOnlyReason,
  onDisk = before,
  text = proposed,
}: {
  readonly readOnlyReason?: Notice;
  readonly onDisk?: string;
  readonly text?: string;
} = {}) {
  const filePath = join(privateFolder(), "main.ts");
  writeFileSync(filePath, onDisk);
  // A number that `utimes` can set again.
  const now = new Date();
  utimesSync(filePath, now, now);
  const parts = createBook(writeReviewedFile);
  const { owner, outcomes } = createOwner("1");
  const readOnly = readOnlyReason === undefined ? {} : { readOnlyReason };
  await parts.book.propose(owner, { ...toProposal(filePath, text), ...readOnly });
  const write = (content: string) => writeFileSync(filePath, content);
  /** The watch has shown it. */
  const updated = (state: string) =>
    poll(`change that is ${state}`, () => parts.editor.updates.at(-1) === state || undefined);
  return { ...parts, owner, outcomes, filePath, write, updated, diff: () => parts.editor.find(filePath) };
}

test("lines that somebody else has saved meanwhile are in what is accepted", async () => {
  const { editor, outcomes, filePath, write, events } = await propose();
  write(`zero\n${before}`);
  expect(editor.accept(filePath)).toEqual({
    taken: true,
    notice: { code: "merged", values: ["main.ts"] },
  });
  expect(outcomes).toMatchObject([{ kind: "accepted", content: `zero\n${proposed}` }]);
  const settled = events.find((event) => event.kind === "diff-settled");
  expect(settled).toMatchObject({ proposal: { base: { text: `zero\n${before}` } } });
  // The user has typed nothing.
  expect(settled).not.toHaveProperty("edited");
});

test("lines that are saved right after the file was read are in what is accepted, also where clocks are too coarse to tell", async () => {
  const { editor, outcomes, filePath, write } = await propose();
  const { mtime } = statSync(filePath);
  write(before.replace("one", "ONE"));
  utimesSync(filePath, mtime, mtime);
  expect(editor.accept(filePath)).toMatchObject({ taken: true, notice: { code: "merged" } });
  expect(outcomes).toMatchObject([{ content: proposed.replace("one", "ONE") }]);
});

test("a waiting change follows its file, and is accepted as it is shown then", async () => {
  const { editor, outcomes, filePath, write, updated, diff } = await propose();
  write(`zero\n${before}`);
  await updated("merged");
  expect(diff()).toMatchObject({
    text: `zero\n${proposed}`,
    proposal: { base: { text: `zero\n${before}` } },
  });
  editor.edit(filePath, `mine\n${diff().text}`);
  expect(editor.accept(filePath)).toEqual({ taken: true });
  expect(outcomes).toMatchObject([{ content: `mine\nzero\n${proposed}` }]);
});

test("where both have changed the same lines, nothing is accepted until the user has chosen", async () => {
  const { editor, outcomes, filePath, write, updated, diff, book, recovered } = await propose();
  const onDisk = before.replace("five", "5");
  write(onDisk);
  const refusal = {
    taken: false,
    reason: { code: "clash", values: ["main.ts"] },
  };
  expect(editor.accept(filePath)).toEqual(refusal);
  await updated("clash");
  expect(diff().text).toBe(`one\ntwo\nthree\nfour\n${conflict}`);
  expect(editor.accept(filePath)).toEqual(refusal);
  await expect(book.accept("1", filePath)).rejects.toThrow("has changed on disk in the same lines");
  expect(readFileSync(filePath, "utf8")).toBe(onDisk);
  editor.edit(filePath, proposed);
  expect(editor.accept(filePath)).toEqual({ taken: true });
  expect(outcomes).toMatchObject([{ kind: "accepted", content: proposed }]);
  expect(recovered()).toEqual([]);
});

test("markers of a clash are not accepted either when the file is gone or as it was", async () => {
  const { editor, filePath, write, updated, diff } = await propose();
  write(before.replace("five", "5"));
  await updated("clash");
  const updates = editor.updates.length;
  rmSync(filePath);
  await poll("second update", () => editor.updates.length > updates || undefined);
  expect([diff().proposal.base.kind, editor.accept(filePath).taken]).toEqual(["missing", false]);
  editor.edit(filePath, proposed);
  expect(editor.accept(filePath)).toEqual({ taken: true });
});

test("what the user types while the file changes stays", async () => {
  const { editor, filePath, write, updated, diff } = await propose();
  diff().isTyping = true;
  editor.edit(filePath, `${proposed}mi`);
  write(`zero\n${before}`);
  await poll("second look", () => editor.reads > 1 || undefined);
  expect(diff().text).toBe(`${proposed}mi`);
  editor.edit(filePath, `${proposed}mine\n`);
  diff().isTyping = false;
  await updated("merged");
  expect(diff().text).toBe(`zero\n${proposed}mine\n`);
});

test("an agent that closes its diff while the editor says that it shows the merged text finds no edits in it", async () => {
  const { editor, book, filePath, write, events, recovered } = await propose();
  const shown = new Promise<void>((resolve) => {
    editor.update = async (_, { text }) => {
      editor.edit(filePath, text);
      resolve();
      await new Promise(() => {}); // the answer is on its way
    };
  });
  write(`zero\n${before}`);
  await shown;
  expect(await book.close("1", filePath)).toBe(`zero\n${proposed}`);
  const settled = events.find((event) => event.kind === "diff-settled");
  expect(settled).toMatchObject({ proposal: { base: { text: `zero\n${before}` } } });
  expect(settled).not.toHaveProperty("edited");
  expect(recovered()).toEqual([]);
});

test("an agent that writes its own text cannot overwrite what others have saved", async () => {
  const { editor, filePath, write, updated, diff } = await propose({
    readOnlyReason: { code: "takes-no-edits", values: ["Toy"] },
  });
  write(`zero\n${before}`);
  expect(editor.accept(filePath)).toEqual({
    taken: false,
    reason: { code: "stale", values: ["main.ts", "Agent 1"] },
  });
  await updated("stale");
  // The diff shows what the agent's own write would do to the file.
  expect(diff()).toMatchObject({ text: proposed, proposal: { base: { text: `zero\n${before}` } } });
  expect(editor.accept(filePath)).toMatchObject({ taken: false });
  write(before);
  await updated("current");
  expect(editor.accept(filePath)).toEqual({ taken: true });
});

test("the second change of a file waits until the first is in it, and does not take it out", async () => {
  const { editor, book, filePath, write, owner, outcomes } = await propose();
  const other = createOwner("2");
  await book.propose(other.owner, { ...toProposal(filePath, `zero\n${before}`), key: "other" });
  const [first, second] = [...editor.diffs.values()];
  if (!first || !second) throw new Error("there are no two diffs");
  expect(first.decide({ kind: "accepted" })).toEqual({ taken: true });
  expect(second.decide({ kind: "accepted" })).toEqual({
    taken: false,
    reason: { code: "being-written", values: [owner.agent, "main.ts"] },
  });
  write(proposed);
  await poll("acceptance of the second", () =>
    second.decide({ kind: "accepted" }).taken ? true : undefined,
  );
  expect(outcomes).toMatchObject([{ content: proposed }]);
  expect(other.outcomes).toMatchObject([{ content: `zero\n${proposed}` }]);
});

test("what an agent accepts itself keeps what others have saved", async () => {
  const { book, filePath, write } = await propose();
  write(`zero\n${before}`);
  await book.accept("1", filePath);
  expect(readFileSync(filePath, "utf8")).toBe(`zero\n${proposed}`);
});

test("accepting ahead leaves a change that clashes to its user, and names it", async () => {
  const { book, editor, filePath, write, events } = await propose();
  write(before.replace("five", "5"));
  await book.acceptAhead(editor.find(filePath).proposal.id, () => true);
  expect(book.open).toHaveLength(1);
  expect(events).toContainEqual({
    kind: "warning",
    message: expect.stringContaining("main.ts has changed on disk in the same lines"),
  });
});

test("a file that holds the proposed text already, and one that is gone, can be accepted", async () => {
  const same = await propose();
  same.write(proposed);
  await same.updated("same");
  expect(same.editor.accept(same.filePath)).toEqual({ taken: true });
  const gone = await propose();
  rmSync(gone.filePath);
  await gone.updated("current");
  expect(gone.diff().proposal.base).toEqual({ kind: "missing" });
  expect(gone.editor.accept(gone.filePath)).toEqual({ taken: true });
});

test("line ends and a byte order mark that the agent puts back are no change on disk", async () => {
  const onDisk = `\uFEFF${before.replaceAll("\n", "\r\n")}`;
  const { editor, filePath, write, outcomes } = await propose({ onDisk });
  write(onDisk.replace("one", "zero\r\none"));
  expect(editor.accept(filePath)).toMatchObject({ taken: true });
  expect(outcomes).toMatchObject([{ content: `zero\n${proposed}` }]);
});

test("a rejection drops what was merged, and nothing of it comes back as edits", async () => {
  const { editor, filePath, write, updated, edits } = await propose();
  write(`zero\n${before}`);
  await updated("merged");
  editor.saveDraft(filePath);
  expect(editor.reject(filePath)).toEqual({ taken: true });
  expect(edits.list()).toEqual([]);
});
