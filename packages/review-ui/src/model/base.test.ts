import { expect, test } from "vitest";
import { createKeyGuard } from "./base.ts";

test("shortcuts are blocked while the user is typing, and a second longer", () => {
  let now = 0;
  const guard = createKeyGuard(() => now);
  expect(guard.blocks()).toBe(false);
  guard.start();
  for (now = 100; now < 5000; now += 500) expect(guard.blocks()).toBe(true);
  now += 1000;
  expect(guard.blocks()).toBe(false);
});
