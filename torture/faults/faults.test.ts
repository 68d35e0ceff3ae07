import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRandom } from "../harness/random.ts";
import { cause } from "./fault.ts";
import { faults } from "./part.ts";

// They mostly wait.
describe.concurrent("when the machine fails around a companion", () => {
  for (const fault of faults) {
    test(fault.sentence, async ({ skip }) => {
      const reason = fault.obstacle?.();
      if (reason !== undefined) skip(reason);
      await cause(fault, { standstill: 1000, random: createRandom(randomInt(2 ** 31)) });
    });
  }
});

test("docs/inside/security.md has the number of faults", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/inside/security.md"), "utf8");
  expect(/\| (\d+) faults \|/.exec(page)?.[1]).toBe(String(faults.length));
});
