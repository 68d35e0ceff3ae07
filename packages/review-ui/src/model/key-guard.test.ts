import { expect, test } from "vitest";
import { createKeyHold } from "./key-guard.ts";

test("keys are held while their user types on, and a second longer", () => {
  let now = 0;
  const hold = createKeyHold(() => now);
  expect(hold.holds()).toBe(false);
  hold.begin();
  for (now = 100; now < 5000; now += 500) expect(hold.holds()).toBe(true);
  now += 1000;
  expect(hold.holds()).toBe(false);
});
