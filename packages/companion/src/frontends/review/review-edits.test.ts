import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { aComment } from "../../testing/memory-editor.ts";
import { propose, startWithPages, waiting } from "./testing/visitor.ts";

test("a page that opens receives recovered edits, reads their texts, and discards them", async () => {
  const { visitor, page, path, edits } = await startWithPages();
  const texts = { proposed: "one\n", text: "mine" };
  const added = edits.add({ filePath: path, agent: "Gemini CLI", reason: "It ended.", ...texts });
  await page.list("edits", (edits) => edits.length === 1);
  const later = await visitor.openPage();
  const { id, filePath, agent, at, reason } = added;
  expect(await later.list("edits")).toEqual([
    { id, filePath, agent, at, reason, label: "a.txt", outsideRoots: false },
  ]);
  expect((await visitor.get(`api/edits/${id}`)).json).toEqual({
    text: "mine",
    onDisk: expect.objectContaining({ kind: "text", text: "one\ntwo\n" }),
  });
  later.say({ type: "act", list: "edits", action: "discard", id });
  await page.list("edits", (edits) => edits.length === 0);
  expect((await visitor.get(`api/edits/${id}`)).status).toBe(404);
  expect((await visitor.get("api/edits/..%2Fx")).status).toBe(404);
});

test("a text that only a page has outlasts the page, once", async () => {
  const { page, path, edits } = await startWithPages();
  const reason = "The change was being edited in another tab.";
  const loose = {
    agent: "Gemini CLI",
    filePath: path,
    reason,
    proposed: "one\n",
    text: "mine\n",
    openedAt: 7,
  };
  for (let count = 0; count < 2; count += 1) await page.ask({ type: "keep-edits", ...loose });
  expect(edits.list()).toMatchObject([{ filePath: path, reason, agent: "Gemini CLI" }]);
  page.say({ type: "keep-edits", ...loose, openedAt: 8, text: "of a later change\n" });
  await page.list("edits", (edits) => edits.length === 2);
  // The companion that was killed has written less of it than the page has.
  await page.ask({ type: "keep-edits", ...loose, text: "mine, to the end\n" });
  expect(edits.list().map((one) => edits.read(one.id)?.text)).toEqual(
    expect.arrayContaining(["mine, to the end\n", "of a later change\n"]),
  );
  expect(edits.list()).toHaveLength(2);
});

test("recovered edits are restored into the file that the user has seen, and into no other", async () => {
  const { page, visitor, path, edits } = await startWithPages();
  const known = { agent: "Gemini CLI", filePath: path, reason: "Why not.", proposed: "one\n" };
  const { id } = edits.add({ ...known, text: "mine\n" });
  const restore = { type: "act", list: "edits", action: "restore", id } as const;
  await expect(page.ask({ ...restore, stamp: "of another file" })).rejects.toThrow(
    "changed since you looked at it",
  );
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
  const { stamp } = (await visitor.get(`api/edits/${id}`)).json.onDisk;
  expect(await page.ask({ ...restore, stamp })).toEqual({});
  expect(readFileSync(path, "utf8")).toBe("mine\n");
  expect(edits.list()).toEqual([]);
  await expect(page.ask({ ...restore, stamp })).rejects.toThrow("no such recovered edits");
});

test.each([
  ["a line is another", "one\r\ntwo\nthree\r\n", "one\nmine\nthree\n", "one\r\nmine\nthree\r\n"],
  ["lines are added", "one\r\ntwo\nthree\r\n", "zero\none\ntwo\n2\nthree", "zero\r\none\r\ntwo\n2\r\nthree"],
  ["lines are gone", "\ufeffone\ntwo\r\nthree\nfour", "two\nfour\n", "\ufefftwo\r\nfour\n"],
  ["nothing is the same", "one\r\ntwo\n", "1\n2\n3\n", "1\r\n2\n3\n"],
])("a file that mixes line endings keeps them where %s", async (_, before, text, after) => {
  const { page, visitor, path, edits } = await startWithPages();
  writeFileSync(path, before);
  const { id } = edits.add({
    ...{ agent: "Gemini CLI", filePath: path, reason: "Why not.", proposed: "" },
    text,
  });
  const { stamp } = (await visitor.get(`api/edits/${id}`)).json.onDisk;
  await page.ask({ type: "act", list: "edits", action: "restore", id, stamp });
  expect(readFileSync(path, "utf8")).toBe(after);
});

test("a change that is decided is read again: as it was, as proposed, as accepted, as on disk", async () => {
  const { frontend, visitor, page, path } = await startWithPages();
  await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "diffAccepted", id, revision: 0, content: "mine\n" });
  const [entry] = await page.list("history", (entries) => entries.length === 1);
  writeFileSync(path, "on disk\n");
  expect((await visitor.get(`api/history/${entry?.id}`)).json).toMatchObject({
    before: "one\ntwo\n",
    proposed: "one\n",
    accepted: "mine\n",
    onDisk: { kind: "text", text: "on disk\n" },
  });
  expect((await visitor.get("api/history/unknown")).status).toBe(404);
});

test("the history says what became of the file and of the user's edits", async () => {
  const { frontend, page, path, edits } = await startWithPages();
  const { proposal } = await propose(frontend, path, "one\n");
  const id = (await waiting(page)).proposals[0]?.id ?? "";
  page.say({ type: "diffAccepted", id, revision: 0, content: "mine" });
  await page.list("history", (entries) => entries.length === 1);
  frontend.onEvent({ kind: "file-checked", proposal, result: "not-written", wasEdited: false });
  const { agent, newContent: proposed } = proposal;
  const recovered = edits.add({ filePath: path, agent, reason: "It ended.", proposed, text: "mine" });
  frontend.onEvent({ kind: "edits-recovered", proposal, edits: recovered });
  const entries = await page.list("history", ([entry]) => entry?.editsId === recovered.id);
  expect(entries).toMatchObject([{ outcome: "accepted", fileResult: "not-written" }]);
});

test("a change of an earlier run is not taken for one of this run", async () => {
  const { frontend, page, path } = await startWithPages();
  const { decisions, proposal } = await propose(frontend, path, "one\n");
  await waiting(page);
  const id = `earlier.${proposal.id}`;
  const answer = await page.ask({ type: "diffAccepted", id, revision: 0, content: "mine" });
  expect(answer).toEqual({ taken: false, reason: { code: "earlier-run" } });
  expect(decisions).toEqual([]);
});

test("comments of a page reach the companion, the other pages, and those that open later; late ones as well", async () => {
  const { frontend, visitor, page: one, other, path } = await startWithPages(2);
  const { proposal, comments, decisions } = await propose(frontend, path, "one\n");
  const id = (await waiting(one)).proposals[0]?.id ?? "";
  one.say({ type: "comments", id, comments: [aComment] });
  expect(await other.hear("comments")).toEqual({ type: "comments", id, comments: [aComment] });
  expect((await visitor.get(`api/proposals/${id}`)).json).toMatchObject({ comments: [aComment] });
  one.say({ type: "diffRejected", id, comments: [aComment] });
  await other.list("history", (entries) => entries.length === 1);
  expect(decisions).toEqual([{ kind: "rejected", comments: [aComment] }]);
  const late = { ...aComment, text: "And this?" };
  other.say({ type: "comments", id, comments: [late] });
  await eventually(() => expect(comments).toEqual([[aComment], [late]]));
  frontend.onEvent({ kind: "comments-delivered", proposal, by: "prompt" });
  expect(await one.hear("comments-delivered")).toMatchObject({ agent: proposal.agent, by: "prompt" });
});

test.each(["diffAccepted", "diffRejected"] as const)(
  "comments go along with a decision that has none: %s",
  async (type) => {
    const { frontend, page, path } = await startWithPages();
    const { decisions } = await propose(frontend, path, "one\n");
    const { decisions: uncommented } = await propose(frontend, `${path}.other`, "two\n");
    const ids = (await waiting(page, 2)).proposals.map(({ id }) => id);
    page.say({ type: "comments", id: ids[0] ?? "", comments: [aComment] });
    for (const id of ids) page.say({ type, id });
    await waiting(page, 0);
    const kind = type === "diffAccepted" ? "accepted" : "rejected";
    expect(decisions).toMatchObject([{ kind, comments: [aComment] }]);
    expect(uncommented).not.toMatchObject([{ comments: expect.anything() }]);
    expect(uncommented).toMatchObject([{ kind }]);
  },
);
