import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { EditsStore } from "../../core/edits/edits-store.ts";
import { openEditsFolder } from "../../core/edits/recovered-edits.ts";
import { hashOf } from "../../files/text-hash.ts";
import {
  createSandbox,
  installExecutable,
  type Sandbox,
  start,
  startProgram,
  useExecutable,
} from "../process-fixture.ts";

useExecutable();

/** A machine with recovered edits of one file. */
function createEdits(onDisk = "one\ntwo\n") {
  const sandbox = createSandbox();
  const store = new EditsStore({
    folder: openEditsFolder(path.join(sandbox.home, ".local", "state", "ide-companion", "edits")),
  });
  const file = path.join(sandbox.app, "a.txt");
  writeFileSync(file, onDisk);
  const add = (filePath: string, text: string, reason = "session-ended") =>
    store.add({
      filePath,
      agent: "Gemini CLI",
      reason,
      proposed: "ONE\ntwo\n",
      text,
      onDisk: hashOf(onDisk),
    });
  const { id } = add(file, "mine\ntwo\n");
  return { sandbox, store, file, id, add };
}

async function edits(sandbox: Sandbox, ...words: string[]) {
  const run = start(sandbox, ["edits", ...words]);
  const code = await run.end;
  return { code, text: run.text };
}

test("lists what there is, and says how to get it back, without a companion", async () => {
  const { sandbox, id } = createEdits();
  const { code, text } = await edits(sandbox);
  expect(code).toBe(0);
  expect(text).toContain(`${id}  ${path.join(sandbox.app, "a.txt")}`);
  expect(text).toContain("Gemini CLI ended before you decided.");
  expect(text).toContain("Get it back: ide-companion edits restore ID");
  const { text: json } = await edits(sandbox, "list", "--json");
  expect(JSON.parse(json)).toEqual({
    edits: [
      {
        id,
        filePath: expect.any(String),
        agent: "Gemini CLI",
        at: expect.any(Number),
        reason: "session-ended",
      },
    ],
  });
  expect(json).not.toContain("mine");
});

test("a record of an older version is listed with the sentence that it holds", async () => {
  const { sandbox, add } = createEdits();
  add("/elsewhere/b.txt", "b", "It ended.");
  expect((await edits(sandbox)).text).toContain("It ended.");
});

test("shows a text byte for byte, and what it changes; an id may be cut short, or be missing", async () => {
  const { sandbox, store, id, add } = createEdits();
  expect(await edits(sandbox, "show")).toEqual({ code: 0, text: "mine\ntwo\n" });
  expect((await edits(sandbox, "diff", id.slice(0, 3))).text).toContain("-one\n+mine\n two\n");
  add("/elsewhere/b.txt", "b\r\n\uFEFF");
  const { code, text } = await edits(sandbox, "show");
  expect([code, text]).toEqual([
    2,
    expect.stringContaining("there are 2 recovered edits: name one by its id"),
  ]);
  expect((await edits(sandbox, "show", "x")).text).toContain("there are no recovered edits x");
  const [other] = store.list().filter((each) => each.id !== id);
  expect((await edits(sandbox, "show", other?.id ?? "")).text).toBe("b\r\n\uFEFF");
});

test("restores a text to its file, which has not changed since, and forgets it", async () => {
  const { sandbox, store, file } = createEdits();
  const { code, text } = await edits(sandbox, "restore");
  expect([code, text]).toEqual([0, expect.stringContaining(`+mine\n two\nwritten: ${file}\n`)]);
  expect(readFileSync(file, "utf8")).toBe("mine\ntwo\n");
  expect(store.list()).toEqual([]);
  expect((await edits(sandbox)).text).toContain("There are no recovered edits");
});

test("compares and restores a text in the line ends and with the byte order mark that its file has", async () => {
  const { sandbox, file } = createEdits("\uFEFFone\r\ntwo\r\n");
  const changed = "\n-\uFEFFone\r\n+\uFEFFmine\r\n two\r\n";
  expect((await edits(sandbox, "diff", "--json")).text).toContain(JSON.stringify(changed).slice(1, -1));
  expect((await edits(sandbox, "restore")).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("\uFEFFmine\r\ntwo\r\n");
});

test("writes over no file that has changed since, unless it is asked to", async () => {
  const { sandbox, file, id } = createEdits();
  writeFileSync(file, "somebody else's\n");
  const refused = await edits(sandbox, "restore", id);
  expect(refused.code).toBe(1);
  expect(refused.text).toContain("-somebody else's\n+mine\n+two\n");
  expect(refused.text).toContain(`${file} has changed since you typed this, and was not written.`);
  expect(refused.text).toContain(`ide-companion edits restore ${id} --force`);
  expect(readFileSync(file, "utf8")).toBe("somebody else's\n");
  expect((await edits(sandbox, "restore", id, "--force")).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("mine\ntwo\n");
  expect(statSync(file).nlink).toBe(1);
});

test.each([0, 4_000_000_000])("a clock of %i decides nothing about what is written over", async (seconds) => {
  const { sandbox, file } = createEdits();
  utimesSync(file, seconds, seconds);
  expect((await edits(sandbox, "restore")).code).toBe(0);
  const other = createEdits();
  writeFileSync(other.file, "put back by hand\n");
  utimesSync(other.file, seconds, seconds);
  const { code, text } = await edits(other.sandbox, "restore");
  expect([code, text]).toEqual([1, expect.stringContaining("has changed since you typed this")]);
  expect(readFileSync(other.file, "utf8")).toBe("put back by hand\n");
});

test("prints no character in JSON that steers a terminal, and all of them elsewhere", async () => {
  const { sandbox, add } = createEdits();
  installExecutable(sandbox);
  const text = "\x9b2J\u202Eabc\u{E0001}";
  const { id: other } = add("/elsewhere/b.txt", text);
  const command = `ide-companion edits show ${other} --json`;
  const run = startProgram(sandbox, "script", ["-qec", command, "/dev/null"], { ownGroup: true });
  expect(await run.end).toBe(0);
  expect(JSON.parse(run.text).text).toBe(text);
  expect(run.text).toContain('"\\u009b2J\\u202eabc\\udb40\\udc01"');
  expect((await edits(sandbox, "show", other, "--json")).text).toContain(text);
});

test("forgets what is named, or everything, and nothing else", async () => {
  const { sandbox, store, id, add } = createEdits();
  const { id: second } = add("/elsewhere/b.txt", "b");
  add("/elsewhere/c.txt", "c");
  expect((await edits(sandbox, "discard")).code).toBe(2);
  expect((await edits(sandbox, "discard", id, "zz")).code).toBe(2);
  expect(store.list()).toHaveLength(3);
  expect((await edits(sandbox, "discard", id, second)).text).toContain(
    `discarded: ${second}  /elsewhere/b.txt`,
  );
  expect(store.list()).toHaveLength(1);
  expect((await edits(sandbox, "discard", "--all")).code).toBe(0);
  expect(store.list()).toEqual([]);
});

test("says what is wrong with a call, and leaves damaged files alone", async () => {
  const { sandbox, store } = createEdits();
  const damaged = path.join(store.folder.path, "01234567.json");
  writeFileSync(damaged, "{");
  expect((await edits(sandbox)).text).toContain(`${damaged} holds no edits that can be read`);
  expect(existsSync(damaged)).toBe(true);
  expect((await edits(sandbox, "restroe")).text).toContain(
    'there is no "edits restroe". Did you mean restore?',
  );
  expect((await edits(sandbox, "list", "--force")).text).toContain("--force is for restore alone");
  expect((await edits(sandbox, "show", "1", "2")).text).toContain("2 is one argument too many");
});
