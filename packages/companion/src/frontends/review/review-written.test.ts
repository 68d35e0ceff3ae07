import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { lookInto } from "../../core/written/look-into.ts";
import { messageOf } from "../../system/error-message.ts";
import { admitVisitor, startTestFrontend } from "./testing/visitor.ts";

const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);

/** A page, and an agent that writes files without asking. */
async function visit() {
  const { frontend, root, writtenLog: log } = await startTestFrontend();
  const visitor = await admitVisitor(frontend);
  const page = await visitor.openPage();
  let at = Date.now();
  const append = (entry: object) =>
    log.append({ at: ++at, agent: "gemini", session: "1", ...entry } as Parameters<typeof log.append>[0]);
  const place = (name: string) => path.resolve(root, name);
  const look = async (file: string) => ({ [file]: await lookInto(file, log, async () => false) });
  const turn = async (title: string, files: Readonly<Record<string, string>>) => {
    append({ kind: "turn-start", title, folder: root });
    await write(files);
    append({ kind: "turn-end" });
  };
  const write = async (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      append({ kind: "before", files: await look(place(name)) });
      writeFileSync(place(name), text);
      append({ kind: "after", files: await look(place(name)) });
    }
  };
  const act = async (message: object) => {
    page.forgetPast();
    const asked = page.ask({ type: "act", list: "written", id: "", action: "keep", ...message });
    return asked.then(() => undefined, messageOf);
  };
  return {
    ...visitor,
    page,
    turn,
    write,
    act,
    place,
    read: (name: string) => readFileSync(place(name), "utf8"),
  };
}

test("a turn comes to the page at once, with the texts of a file and the places where it is marked", async () => {
  const { page, turn, get, place } = await visit();
  writeFileSync(place("a.txt"), "one\ntwo\n");
  await turn("Count", { "a.txt": "one\n2nd\n", "b.txt": "new\n" });
  const [first, second] = await page.list("written", (records) => records.length === 2);
  expect([first, second]).toMatchObject([
    {
      agent: "Gemini CLI",
      label: "a.txt",
      kind: "modified",
      added: 1,
      removed: 1,
      title: "Count",
      isOver: true,
    },
    { label: "b.txt", kind: "added", added: 1, removed: 0 },
  ]);
  const hunks = [{ line: 1, added: 1, at: 1, removed: 1 }];
  expect((await get(`api/written/${first?.id}`)).json).toMatchObject({
    before: { kind: "text", text: "one\ntwo\n" },
    after: { kind: "text", text: "one\n2nd\n" },
    ...{ hunks, revision: first?.revision },
  });
  expect((await get(`api/written/${second?.id}`)).json).toMatchObject({ before: { kind: "missing" } });
  expect((await get("api/written/0")).status).toBe(404);
  expect((await get(`api/marks?path=${place("a.txt")}`)).json).toEqual(hunks);
  expect((await get("api/marks?path=/etc/passwd")).status).toBe(403);
});

test("a change, a file and a turn are kept and reverted, and that is undone", async () => {
  const { page, turn, act, place, read } = await visit();
  writeFileSync(place("a.txt"), lines.join(""));
  const written = lines.with(2, "A\n").with(10, "B\n").with(18, "C\n").join("");
  await turn("Change", { "a.txt": written, "b.txt": "new\n" });
  const [first] = await page.list("written", (records) => records.length === 2);
  const { id = "", revision = "", turn: name = "" } = first ?? {};
  expect(await act({ id, revision, hunks: [0] })).toBeUndefined();
  const [kept] = await page.list("written", ([one]) => one?.added === 2);
  expect(await act({ id, revision, hunks: [0] })).toBe("The file has changed: look again.");
  expect(read("a.txt")).toBe(written);
  expect(await act({ id, revision: kept?.revision, action: "revert", hunks: [0, 1] })).toBeUndefined();
  expect(read("a.txt")).toBe(lines.with(2, "A\n").join(""));
  expect(await act({ action: "undo" })).toBeUndefined();
  expect(read("a.txt")).toBe(written);
  const all = await page.list("written", (records) => records.length === 2);
  const seen = all.map((one) => one.revision).join(" ");
  expect(await act({ id: name, revision: seen, action: "revert" })).toBeUndefined();
  expect([read("a.txt"), existsSync(place("b.txt"))]).toEqual([lines.with(2, "A\n").join(""), false]);
  await page.list("written", (records) => records.length === 0);
  for (const _ of ["revert of the turn", "keeping of the hunk"])
    expect(await act({ action: "undo" })).toBeUndefined();
  expect([read("a.txt"), read("b.txt")]).toEqual([written, "new\n"]);
  expect(await act({ action: "undo" })).toBe("There is no decision to undo.");
});

test("what the turn has written outside of the folders is neither listed, kept, reverted nor undone", async () => {
  const { page, turn, act, place, read } = await visit();
  const elsewhere = path.join(privateFolder(), "c.txt");
  await turn("Two folders", { "a.txt": "new\n", [elsewhere]: "new\n" });
  const [first, ...others] = await page.list("written", (records) => records.some(({ isOver }) => isOver));
  expect(others).toEqual([]);
  const { turn: id = "", revision } = first ?? {};
  expect(await act({ id, revision, action: "revert" })).toBeUndefined();
  expect([existsSync(place("a.txt")), readFileSync(elsewhere, "utf8")]).toEqual([false, "new\n"]);
  expect(await act({ action: "undo" })).toBeUndefined();
  expect(read("a.txt")).toBe("new\n");
});

test("what somebody has changed since in the same lines is not reverted", async () => {
  const { page, turn, act, place, read } = await visit();
  await turn("Make it", { "a.txt": "new\n" });
  const [first] = await page.list("written", ([one]) => one?.isOver === true);
  writeFileSync(place("a.txt"), "mine\n");
  const { id = "", revision } = first ?? {};
  expect(await act({ id, revision, action: "revert" })).toBe("The file has changed: look again.");
  expect(await act({ id, action: "revert" })).toBe(
    "the agent made or deleted this file, and you have written it since.",
  );
  expect(read("a.txt")).toBe("mine\n");
});

test("a file that is viewed is that for each page, until an agent writes it once more", async () => {
  const { page, turn, write, openPage } = await visit();
  await turn("Write", { "a.txt": "one\n", "b.txt": "two\n" });
  const [a] = await page.list("written", (records) => records.length === 2);
  const { id = "", revision = "" } = a ?? {};
  page.say({ type: "viewed", id, hunks: [revision] });
  expect(await page.hear("viewed")).toMatchObject({ id, hunks: [revision] });
  const hears = (other: typeof page, viewed: readonly string[]) =>
    other.hear("list", (one) => one.list === "written" && isDeepStrictEqual(one.viewed, viewed));
  const second = await openPage();
  await hears(second, [id]);
  await write({ "a.txt": "one more\n" });
  await hears(second, []);
});
