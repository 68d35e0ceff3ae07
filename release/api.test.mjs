import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { readApi, reports } from "./api.mjs";

test("the public types change on purpose alone: `node release/api.mjs` writes what has changed", async () => {
  const api = await readApi();
  expect((await readdir(reports)).sort()).toEqual(api.map(({ name }) => name).sort());
  for (const { name, text } of api) expect(text, name).toBe(await readFile(join(reports, name), "utf8"));
}, 120_000);

test("the documentation says how many types users meet and cannot import", async () => {
  const texts = await Promise.all(
    (await readdir(reports)).map((name) => readFile(join(reports, name), "utf8")),
  );
  const count = texts.join("").match(/ae-forgotten-export/g)?.length ?? 0;
  const page = await readFile(inRepository("docs", "reference", "versions.md"), "utf8");
  expect(page).toContain(`| ${count} cannot |`);
});
