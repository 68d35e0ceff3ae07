import { expect, test } from "vitest";
import { missingTests, promises } from "./security-page.mjs";

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
