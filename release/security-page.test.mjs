import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { knownFiles } from "../scripts/known-files.mjs";
import { inRepository } from "../scripts/repository.mjs";

/** Where a test that docs/inside/security.md cites may lie. */
const places = ["", "packages/companion/src/"];

/**
 * The rows of the tables of promises in docs/inside/security.md.
 * @returns {Promise<{ promise: string, attacker: string, test: string, figure: string }[]>}
 */
async function promises() {
  const page = await readFile(inRepository("docs", "inside", "security.md"), "utf8");
  const [, tables = ""] = /^## What is promised.*?$(.*?)^## /ms.exec(page) ?? [];
  return tables
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| promise |"))
    .map((line) => {
      const [promise, attacker, test, figure] = line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim());
      return { promise, attacker, test, figure };
    });
}

/** @returns {Promise<string[]>} what the rows cite as tests, and is none */
async function missingTests() {
  const cited = (await promises()).flatMap(({ test }) =>
    [...test.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const files = await knownFiles("packages", "e2e", "torture", "editors", "release");
  const parts = await readFile(inRepository("torture", "parts.ts"), "utf8");
  return cited.filter((name) => {
    const [, part] = /^torture (\w+)$/.exec(name) ?? [];
    if (part !== undefined) return !parts.includes(`"./${part}/`);
    const patterns = places.map((place) => toPattern(`${place}${name}`));
    return !files.some((file) => patterns.some((pattern) => pattern.test(file)));
  });
}

/** `e2e/review` is short for `e2e/review.e2e.test.ts`. */
function toPattern(name) {
  const whole = name.startsWith("e2e/") && !name.endsWith(".ts") ? `${name}.e2e.test.ts` : name;
  const literal = whole.replace(/[.]/g, "\\.");
  return new RegExp(`^${literal.replaceAll("**/", "(.+/)?").replaceAll("*", "[^/]*")}$`);
}

test("each promise of docs/inside/security.md names whom it is against and what shows it", async () => {
  const rows = await promises();
  expect(rows.length).toBeGreaterThan(20);
  expect(
    rows.filter(
      ({ attacker, test: cited, figure }) => !attacker || !/`.+`/.test(cited) || figure === undefined,
    ),
  ).toEqual([]);
});

test("each test that docs/inside/security.md cites is there", async () => {
  expect(await missingTests()).toEqual([]);
});
