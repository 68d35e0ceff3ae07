import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { isObject } from "../system/json.ts";
import { opencodeHooks } from "./opencode-hooks.ts";

const { ask, tools } = opencodeHooks;
const hold = "hold" in ask ? ask.hold : undefined;

const toPatch = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

/** @returns the files that a patch names, as they are after it */
function attempt(files: Readonly<Record<string, string>>, patchText: string): Record<string, string> {
  const folder = privateFolder();
  const names = tools.apply_patch?.({ patchText }) ?? [];
  const copyOf = (name: string) => path.join(folder, String(names.indexOf(name)));
  for (const [name, text] of Object.entries(files)) writeFileSync(copyOf(name), text);
  hold?.attempt({ patchText }, names, folder);
  const left = names.filter((name) => existsSync(copyOf(name)));
  return Object.fromEntries(left.map((name) => [name, readFileSync(copyOf(name), "utf8")]));
}

const update = (before: string, ...lines: readonly string[]) =>
  attempt({ "a.txt": before }, toPatch("*** Update File: a.txt", ...lines))["a.txt"];

test("files are added, deleted, moved and changed, each as it was before the patch", () => {
  const patch = toPatch(
    ...["*** Add File: new.txt", "+one", "+", "+two", "*** Delete File: gone.txt"],
    ...["*** Update File: from.txt", "*** Move to: to.txt", "@@", " alpha", "-beta", "+BETA"],
    ...["*** Add File: from.txt", "+another"],
  );
  expect(attempt({ "gone.txt": "x", "from.txt": "alpha\nbeta" }, patch)).toEqual({
    "new.txt": "one\n\ntwo\n",
    "to.txt": "alpha\nBETA\n",
    "from.txt": "another\n",
  });
});

test.each([
  ["after the line that it names", "one\nx\ntwo\nx\n", ["@@ two", "-x", "+y"], "one\nx\ntwo\ny\n"],
  ["one after the other", "x\nx\nx\n", ["@@", "-x", "+1", "@@", "-x", "+2"], "1\n2\nx\n"],
  ["at the end where it takes nothing away", "x\nz\n", ["@@ x", "+y", "@@", "-z", "+2"], "x\n2\ny\n"],
  ["after its byte order mark", "\uFEFFx\ny\n", ["@@", "-x", "+1"], "\uFEFF1\ny\n"],
  ["in spite of other white space", "\tx  \r\ny\r\n", ["@@", "-x", "+1"], "1\ny\r\n"],
  ["rather exactly", " x\nx\n", ["@@", "-x", "+1"], " x\n1\n"],
  ["in an empty file", "", ["@@", "+1"], "1\n"],
  ["before the line that ends it", "x\n", ["@@", "-x", "+1", "*** End of File"], "1\n"],
])("a file is changed %s", (_, before, lines, after) => {
  expect(update(before, ...lines)).toBe(after);
});

test.each([
  ["a line is not there", () => update("x\n", "@@", "-y", "+1")],
  ["the line that it names is not there", () => update("x\n", "@@ y", "-x", "+1")],
  ["a file is not there", () => attempt({}, toPatch("*** Delete File: a.txt"))],
  ["a line stands before the end of the file", () => update("x\n", "*** End of File", "@@", "-x", "+1")],
  ["the versions of opencode end it differently", () => update("x\n\n", "@@", "-x", "+1")],
  ["something stands around it", () => attempt({}, `cat <<EOF\n${toPatch("*** Add File: a.txt")}\nEOF`)],
  ["it has no end", () => attempt({}, "*** Begin Patch\n*** Add File: a.txt\n+x")],
])("nobody is asked about a patch where %s", (_, act) => {
  expect(act).toThrow();
});

const updateHead = "*** Update File: a.txt";

/** @returns the patch that writes what the user has typed in a change of one file */
function typed(head: string, before: string, text: string, lineEnd = "\n"): string | undefined {
  const answer = hold?.change?.({ patchText: toPatch(head, "@@", "+x") }, before, text, lineEnd);
  return isObject(answer?.args) ? String(answer.args.patchText) : undefined;
}

test("what the user has typed is what a patch writes, with the file's line ends", () => {
  const write = (before: string, lineEnd?: string) =>
    typed(updateHead, before, "alpha\n\nzwei\n", lineEnd) ?? "";
  expect(attempt({ "a.txt": "alpha\nbeta" }, write("alpha\nbeta"))).toEqual({ "a.txt": "alpha\n\nzwei\n" });
  expect(attempt({ "a.txt": "" }, write(""))).toEqual({ "a.txt": "alpha\n\nzwei\n" });
  const patch = write("alpha\nbeta\n", "\r\n");
  expect(attempt({ "a.txt": "alpha\r\nbeta\r\n" }, patch)).toEqual({ "a.txt": "alpha\r\n\r\nzwei\r\n" });
  expect(attempt({}, typed("*** Add File: a.txt", "", "\n1\n") ?? "")).toEqual({ "a.txt": "\n1\n" });
});

test.each(["zwei", "zwei\n\n", "\n"])("no patch writes %j exactly", (text) => {
  expect(typed(updateHead, "x\n", text)).toBeUndefined();
});
