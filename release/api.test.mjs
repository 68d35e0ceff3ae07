import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { readApi, reports } from "./api.mjs";

let api;
beforeAll(async () => {
  api = await readApi();
}, 120_000);

test("the public types change on purpose alone: `node release/api.mjs` writes what has changed", async () => {
  expect((await readdir(reports)).sort()).toEqual(api.map(({ name }) => name).sort());
  for (const { name, text } of api) expect(text, name).toBe(await readFile(join(reports, name), "utf8"));
});

test("every type in a public signature can be imported", () => {
  const texts = api.map(({ text }) => text).join("");
  const forgotten = texts.matchAll(/\(ae-forgotten-export\) The symbol "(\w+)".* entry point (\S+)/g);
  expect([...forgotten].map(([, symbol, entry]) => `${symbol}, of ${entry}`)).toEqual([]);
});
