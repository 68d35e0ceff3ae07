import { expect, test } from "vitest";
import { replacing } from "../vitest.config.ts";
import { attempt } from "./command.mjs";
import { knownFiles } from "./known-files.mjs";
import { longest } from "./longest-first.mjs";
import { repository } from "./repository.mjs";

test("the files that are started first are there", async () => {
  expect(await knownFiles(...longest)).toHaveLength(longest.length);
});

test("unit tests that replace modules do not share a process", async () => {
  const options = { cwd: repository, quiet: true };
  const { output } = await attempt(
    "git",
    ["grep", "-lE", "^vi\\.(do)?[mM]ock\\(", "--", "packages"],
    options,
  );
  const found = output.split("\n").filter((path) => path !== "");
  expect(found.length).toBeGreaterThan(5);
  const alone = replacing.map((pattern) => pattern.split("*")[0]);
  expect(found.filter((path) => !alone.some((start) => path.startsWith(start)))).toEqual([]);
});
