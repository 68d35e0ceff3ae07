import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";

const page = inRepository("docs", "inside", "architecture.md");

/** @returns {Promise<{ name: string, path: string }[]>} the functions that the walk of one proposal names, in order */
async function steps() {
  const text = await readFile(page, "utf8");
  const [, walk = ""] = /^## One proposal, from CLI to disk$(.*?)^Other ends/ms.exec(text) ?? [];
  const links = walk.matchAll(/\[`([\w#]+)`\]\(([^)]+)\)/g);
  return [...links].map(([, name, path]) => ({ name, path: join(page, "..", path) }));
}

/** Whether a source defines a function or a method, which is more than to call it. */
function defines(source, name) {
  const inLua = `^ *(local )?function (M\\.)?${name}\\(`;
  const inTypeScript = `^ *(export )?(async )?(function )?#?${name}(<[^>]*>)?\\([^;]*?\\{$`;
  return new RegExp(`${inLua}|${inTypeScript}`, "m").test(source);
}

test("every step of a proposal's walk names a function that is where the page says", async () => {
  const all = await steps();
  expect(all.length).toBeGreaterThan(15);
  const missing = [];
  for (const { name, path } of all) {
    if (!defines(await readFile(path, "utf8"), name)) missing.push(`${path}: ${name}`);
  }
  expect(missing).toEqual([]);
});

/** How many files the steps cross, and how many lines these have. */
async function measure(walk) {
  const files = [...new Set(walk.map(({ path }) => path))];
  const sources = await Promise.all(files.map((path) => readFile(path, "utf8")));
  const lines = sources.reduce((sum, source) => sum + source.split("\n").length - 1, 0);
  return { files: files.length, lines };
}

test("a proposal crosses ten files and 1,770 lines at most, from a CLI to Neovim and back", async () => {
  const { files, lines } = await measure(await steps());
  expect(files).toBeLessThanOrEqual(10);
  expect(lines).toBeLessThanOrEqual(1770);
});

test("the half in TypeScript has six files and 970 lines at most", async () => {
  const { files, lines } = await measure((await steps()).filter(({ path }) => path.endsWith(".ts")));
  expect(files).toBeLessThanOrEqual(6);
  expect(lines).toBeLessThanOrEqual(970);
});

test("a function that is called and not defined is not found", () => {
  expect(defines("  propose(owner, change);\n", "propose")).toBe(false);
  expect(defines("  return M.open(proposal)\n", "open")).toBe(false);
  expect(defines("  async propose(\n    owner,\n  ): Promise<void> {\n", "propose")).toBe(true);
  expect(defines("function M.open(params)\n", "open")).toBe(true);
});

test("the diff that adds an agent applies to the sources", async () => {
  const [, diff = ""] = /^```diff\n(.*?)^```$/ms.exec(await readFile(page, "utf8")) ?? [];
  const options = { cwd: inRepository(), input: diff, encoding: "utf8" };
  const { stderr, status } = spawnSync("git", ["apply", "--check", "-"], options);
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
});
