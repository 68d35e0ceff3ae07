import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { createFileIndex } from "./file-index.ts";
import { fuzzyScore, toFuzzyPath, toFuzzyQuery } from "./fuzzy-match.ts";

function ranked(query: string, paths: readonly string[]): string[] {
  const scored = paths.map((path) => ({ path, score: fuzzyScore(toFuzzyQuery(query), toFuzzyPath(path)) }));
  const found = scored.flatMap(({ path, score }) => (score === undefined ? [] : [{ path, score }]));
  return found.sort((one, other) => other.score - one.score).map(({ path }) => path);
}

test("the name beats the folders, one piece beats scattered characters", () => {
  const paths = [
    "diff/other.ts",
    "d/i/f/f.ts",
    "src/my-diff.ts",
    "src/diff.ts",
    "src/diff-book.ts",
    "src/xdiff.ts",
  ];
  expect(ranked("diff", paths)).toEqual([
    "src/diff.ts",
    "src/diff-book.ts",
    "src/my-diff.ts",
    "src/xdiff.ts",
    "diff/other.ts",
    "d/i/f/f.ts",
  ]);
});

test("initials of words find a file, in camel case as well", () => {
  expect(ranked("rf", ["src/refine.ts", "src/reviewFrontend.ts"])[0]).toBe("src/reviewFrontend.ts");
  expect(ranked("dbt", ["doubt.ts", "diffs/diff-book.test.ts"])[0]).toBe("diffs/diff-book.test.ts");
});

test("folders can be typed too, and blanks, case and the system's separator do not matter", () => {
  expect(ranked("frontends rev", ["src/frontends/review/api.ts", "src/server/api.ts"])).toEqual([
    "src/frontends/review/api.ts",
  ]);
  expect(ranked("FRONTENDS/api", ["src\\frontends\\review\\api.ts"])).toHaveLength(1);
  expect(ranked("ü", ["Ü.md", "u.md"])).toEqual(["Ü.md"]);
});

test("characters in another order, or too many of them, do not match", () => {
  expect(ranked("ba", ["ab.ts"])).toEqual([]);
  expect(ranked("aa", ["a.ts"])).toEqual([]);
  expect(ranked("ab7", ["ab8.ts"])).toEqual([]);
});

function folderOf(...paths: string[]): string {
  const root = privateFolder();
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
  return root;
}

test("all files of a root are found, save ignored ones, git's own and those behind links", async () => {
  const root = folderOf("src/note.ts", "dist/note.js", ".git/note", "sub/note.log", "other/note.md");
  writeFileSync(join(root, ".gitignore"), "dist\n*.log\n");
  symlinkSync(join(root, "src"), join(root, "again"));
  const hits = await createFileIndex(() => [root]).search("note");
  expect(hits).toEqual([
    { path: join(root, "src/note.ts"), label: join("src", "note.ts") },
    { path: join(root, "other/note.md"), label: join("other", "note.md") },
  ]);
});

test("with several roots a label begins with its root's name, and a root within another lists nothing twice", async () => {
  const [one, other] = [folderOf("src/a.ts"), folderOf("src/a.ts")];
  const hits = await createFileIndex(() => [one, other, join(one, "src")]).search("a.ts");
  expect(hits.map(({ label }) => label).sort()).toEqual(
    [join(basename(one), "src", "a.ts"), join(basename(other), "src", "a.ts")].sort(),
  );
});

test("a root that has gone, and an empty query, find nothing", async () => {
  const root = privateFolder();
  expect(await createFileIndex(() => [join(root, "gone")]).search("a")).toEqual([]);
  expect(await createFileIndex(() => [root]).search("  ")).toEqual([]);
});

test("other roots are walked at once", async () => {
  let roots = [folderOf("old.ts")];
  const index = createFileIndex(() => roots);
  expect(await index.search("ts")).toHaveLength(1);
  roots = [folderOf("new.ts")];
  index.forget();
  expect((await index.search("ts")).map(({ label }) => label)).toEqual(["new.ts"]);
});

test.each([
  { walk: 0, wait: 1 },
  { walk: 10, wait: 201 },
  { walk: 10_000, wait: 4001 },
])("where a walk takes $walk ms, a file that has come is found after $wait ms", async ({ walk, wait }) => {
  const root = folderOf("old.ts");
  let [now, left] = [0, walk];
  // The roots are asked for between two looks at the clock.
  const walked = () => {
    now += left;
    left = 0;
    return [root];
  };
  const index = createFileIndex(walked, () => now);
  const count = async () => (await index.search("ts")).length;
  expect(await count()).toBe(1);
  writeFileSync(join(root, "new.ts"), "");
  expect(await count()).toBe(1);
  now += wait;
  // A busy machine answers before it has walked.
  await expect.poll(count, { timeout: 30_000 }).toBe(2);
});

test("no more than the best 200 are answered", async () => {
  const root = folderOf(...Array.from({ length: 500 }, (_, index) => `many/${index}/file.ts`), "file");
  const hits = await createFileIndex(() => [root]).search("file");
  expect(hits).toHaveLength(200);
  expect(hits[0]?.label).toBe("file");
});
