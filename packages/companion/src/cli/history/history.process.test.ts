import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openHistoryFolder, type PastDecision } from "../../core/history/past-decision.ts";
import { createSandbox, start, useExecutable } from "../process-fixture.ts";

useExecutable();

/** A machine on which one change of a file was accepted. */
function createHistory() {
  const sandbox = createSandbox();
  const folder = openHistoryFolder(path.join(sandbox.home, ".local", "state", "ide-companion", "history"));
  const file = path.join(sandbox.app, "a.txt");
  writeFileSync(file, "one\nTWO\n");
  const add = (news: Partial<PastDecision> = {}) => {
    const about = { id: folder.newId(), at: Date.now(), agent: "Gemini CLI", filePath: file };
    const texts = { before: "one\ntwo\n", proposed: "one\nTWO\n" };
    const decision: PastDecision = { ...about, outcome: "accepted", code: "accepted", texts, ...news };
    folder.write(decision, false);
    return decision.id;
  };
  const history = async (...words: string[]) => {
    const run = start(sandbox, ["history", ...words]);
    const code = await run.end;
    return { code, text: run.text };
  };
  return { sandbox, folder, file, id: add(), add, history };
}

test("lists decisions newest first, and says what to do with one", async () => {
  const { id, add, history } = createHistory();
  const other = add({ filePath: "/elsewhere/b.txt", at: 0, outcome: "rejected", code: "rejected" });
  const { code, text } = await history();
  expect(code).toBe(0);
  expect(text.indexOf(id)).toBeLessThan(text.indexOf(other));
  expect(text).toMatch(/accepted \d+ s ago, a change by Gemini CLI/);
  expect(text).toContain("Take one back: ide-companion history undo ID");
  expect((await history("--limit", "1")).text).toContain("1 older ones: --limit N");
  const { decisions } = JSON.parse((await history("--json")).text);
  expect(decisions).toEqual([
    expect.objectContaining({ id }),
    {
      id: other,
      at: 0,
      agent: "Gemini CLI",
      filePath: "/elsewhere/b.txt",
      outcome: "rejected",
      code: "rejected",
    },
  ]);
});

test("shows what was accepted, byte for byte and as a diff", async () => {
  const { id, history } = createHistory();
  expect(await history("show")).toEqual({ code: 0, text: "one\nTWO\n" });
  expect((await history("diff", id.slice(0, 4))).text).toContain("-two\n+TWO\n");
});

test("shows the tabs of a text as they are, and nothing that steers a terminal", async () => {
  const { file, add, history } = createHistory();
  const id = add({ texts: { before: "all:\n\tmake\n", proposed: "all:\n\tmake\tit\x1b[2J\n" } });
  const { text } = await history("diff", id);
  expect(text).toContain(`--- ${file}\tbefore\n+++ ${file}\taccepted\n`);
  expect(text).toContain(" all:\n-\tmake\n+\tmake\tit\\x1b[2J\n");
});

test("undoes an accepted change, leaves what has changed since, and writes only when it may", async () => {
  const { file, history } = createHistory();
  writeFileSync(file, "new\none\nTWO\n");
  const refused = await history("undo");
  expect(refused.code).toBe(1);
  expect(refused.text).toContain("-TWO\n+two\n");
  expect(refused.text).toContain("Nothing was written: where nobody can be asked, say --yes.");
  expect(readFileSync(file, "utf8")).toBe("new\none\nTWO\n");
  expect((await history("undo", "--yes")).text).toContain(`written: ${file}`);
  expect(readFileSync(file, "utf8")).toBe("new\none\ntwo\n");
  expect((await history("undo", "--yes")).text).toContain("holds nothing of this change");
});

test("a change reads undone after that, and shows the comments that were sent with it", async () => {
  const { file, id, folder, history } = createHistory();
  const found = folder.read(id);
  if (!found) throw new Error("there is no decision");
  const comment = {
    id: "1",
    side: "proposed",
    startLine: 2,
    endLine: 2,
    quote: "TWO",
    text: "Why?\n",
  } as const;
  folder.write({ ...found, comments: [comment] }, false);
  writeFileSync(file, "one\nTWO\n");
  await history("undo", "--yes");
  expect((await history()).text).toMatch(/accepted, undone \d+ s ago/);
  expect((await history("diff")).text).toContain("Your comment on line 2: Why?\n");
  await history("reapply", "--yes");
  expect((await history()).text).toMatch(/accepted, accepted after all \d+ s ago/);
});

test("a change that cannot be undone is left alone, with a reason", async () => {
  const { file, history } = createHistory();
  writeFileSync(file, "one\nother\n");
  const { code, text } = await history("undo", "--yes");
  expect([code, text]).toEqual([1, expect.stringContaining("has changed since in the same places")]);
  expect(readFileSync(file, "utf8")).toBe("one\nother\n");
});

test("a file whose bytes are no UTF-8 is left alone, byte for byte", async () => {
  const { file, history } = createHistory();
  const bytes = Buffer.from("one\nTWO\ncaf\xe9\n", "latin1");
  writeFileSync(file, bytes);
  for (const verb of ["undo", "reapply"]) {
    const { code, text } = await history(verb, "--yes");
    expect([code, text]).toEqual([1, expect.stringContaining("The file on disk is not a text.")]);
  }
  expect(readFileSync(file)).toEqual(bytes);
});

test("undoing a change that made its file deletes the file", async () => {
  const { file, id, folder, add, history } = createHistory();
  folder.remove(id);
  add({ texts: { before: null, proposed: "one\nTWO\n" } });
  expect((await history("undo", "-y")).text).toContain(`deleted: ${file}`);
  expect(existsSync(file)).toBe(false);
});

test("puts a change into the file again, or after its rejection, next to what has changed since", async () => {
  const { file, id, folder, add, history } = createHistory();
  writeFileSync(file, "new\none\ntwo\n");
  const refused = await history("reapply");
  expect(refused.code).toBe(1);
  expect(refused.text).toContain("-two\n+TWO\n");
  expect(readFileSync(file, "utf8")).toBe("new\none\ntwo\n");
  expect((await history("reapply", "--yes")).text).toContain(`written: ${file}`);
  expect(readFileSync(file, "utf8")).toBe("new\none\nTWO\n");
  expect((await history("reapply", "--yes")).text).toContain("holds this change");
  folder.remove(id);
  add({ outcome: "rejected", code: "rejected" });
  writeFileSync(file, "new\none\ntwo\n");
  expect((await history("reapply", "--yes")).text).toContain(`written: ${file}`);
  expect(readFileSync(file, "utf8")).toBe("new\none\nTWO\n");
});

test("forgets what is discarded, and answers wrong usage", async () => {
  const { id, history } = createHistory();
  expect((await history("undo", "x")).code).toBe(2);
  expect((await history("list", "--yes")).text).toContain("--yes is for undo and reapply alone");
  expect((await history("list", "--limit", "many")).code).toBe(2);
  expect((await history("unod")).text).toContain("undo");
  expect((await history("discard", id)).text).toContain(`discarded: ${id}`);
  expect((await history()).text).toContain("Nothing has been decided yet.");
});
