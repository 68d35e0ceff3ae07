import { describe, test } from "vitest";
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
