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
  return cited.filter((name) => {
    const patterns = places.map((place) => toPattern(`${place}${name}`));
    return !files.some((file) => patterns.some((pattern) => pattern.test(file)));
  });
}

/** `e2e/review` is short for `e2e/review.e2e.test.ts`, and `torture wire` for a part of the torture. */
function toPattern(name) {
  const part = name.replace(/^(.*)torture (\w+)$/, "$1torture/$2/$2.torture.ts");
  const whole = name.startsWith("e2e/") && !name.endsWith(".ts") ? `${name}.e2e.test.ts` : part;
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
