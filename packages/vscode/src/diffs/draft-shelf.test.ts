import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDraftShelf, type DraftShelf } from "./draft-shelf.ts";

const draft = { filePath: "/a.ts", agent: "Gemini CLI", content: "mine\n" };
/** Of a process that is no more, or is another window's. */
const other = "1234-0a1b2c3d-1.json";

function privateFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "drafts-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "drafts");
}

function createShelf(folder: string, isAlive: boolean, onFault = vi.fn()): DraftShelf {
  return createDraftShelf({ folder, isAlive: () => isAlive, onFault });
}

const left = (shelf: DraftShelf) => [...shelf.takeLeft().values()];

test("a window's own drafts, and those of another window that lives, stay where they are", () => {
  const folder = privateFolder();
  const shelf = createShelf(folder, true);
  expect(left(shelf)).toEqual([]);
  shelf.write("1", draft);
  writeFileSync(join(folder, other), JSON.stringify(draft));
  expect(left(shelf)).toEqual([]);
  shelf.remove("1");
  expect(readdirSync(folder)).toEqual([other]);
});

test("what a dead window has left is taken once, and nothing that is half written", () => {
  const folder = privateFolder();
  const shelf = createShelf(folder, false);
  shelf.write("1", draft);
  writeFileSync(join(folder, other), JSON.stringify({ ...draft, content: "left\n" }));
  writeFileSync(join(folder, "1234-0a1b2c3d-2.json"), '{"filePa');
  writeFileSync(join(folder, `.${other}.1234-0a1b2c3d4e5f.tmp`), JSON.stringify(draft));
  expect(left(shelf)).toEqual([{ ...draft, content: "left\n" }]);
  expect(left(shelf)).toEqual([]);
});

test("edits that are offered and not answered are offered by the next window again", () => {
  const folder = privateFolder();
  createShelf(folder, false).write("1", draft);
  expect(left(createShelf(folder, false))).toEqual([draft]);
  const next = createShelf(folder, false);
  const [id = ""] = next.takeLeft().keys();
  next.remove(id);
  expect(readdirSync(folder)).toEqual([]);
});

test("a window that has got the process id of the one before it finds that one's drafts", () => {
  const folder = privateFolder();
  createShelf(folder, true).write("1", draft);
  const shelf = createShelf(folder, true);
  shelf.write("1", { ...draft, content: "newer\n" });
  expect(left(shelf)).toEqual([draft]);
});

test("when one draft cannot be written, the other ones of a window that ends still are", () => {
  const folder = privateFolder();
  const onFault = vi.fn();
  const shelf = createShelf(folder, true, onFault);
  shelf.write("1", draft);
  const [name = ""] = readdirSync(folder);
  shelf.remove("1");
  mkdirSync(join(folder, name, "in the way"), { recursive: true });
  for (const id of ["1", "2"]) shelf.write(id, { ...draft, content: id });
  expect(left(createShelf(folder, true))).toEqual([{ ...draft, content: "2" }]);
  expect(onFault).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^edits of \/a\.ts cannot be kept on disk: /),
  );
});

test("a window that is killed while it writes a draft leaves the one before", () => {
  const folder = privateFolder();
  const shelf = createShelf(folder, true);
  shelf.write("1", draft);
  const [name = ""] = readdirSync(folder);
  const before = openSync(join(folder, name), "r");
  onTestFinished(() => closeSync(before));
  shelf.write("1", { ...draft, content: "newer\n" });
  // It was replaced by another file, and not written over.
  expect(JSON.parse(readFileSync(before, "utf8"))).toEqual(draft);
});

test("nobody else may read a draft", () => {
  const folder = privateFolder();
  createShelf(folder, true).write("1", draft);
  const [name = ""] = readdirSync(folder);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, name)).mode & 0o777]).toEqual([0o700, 0o600]);
});
