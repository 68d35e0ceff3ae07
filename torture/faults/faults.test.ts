import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bringAbout } from "./fault.ts";
import { faults } from "./index.ts";

// They mostly wait.
describe.concurrent("when the machine fails around a companion", () => {
  for (const fault of faults) {
    test(fault.sentence, async ({ skip }) => {
      const reason = fault.obstacle?.();
      if (reason !== undefined) skip(reason);
      await bringAbout(fault, { standstill: 1000, random: Math.random });
    });
  }
});

test("docs/inside/security.md tells how many faults there are", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/inside/security.md"), "utf8");
  expect(/\| (\d+) faults \|/.exec(page)?.[1]).toBe(String(faults.length));
});
