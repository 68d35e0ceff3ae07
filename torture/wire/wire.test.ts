import { expect, test } from "vitest";
import { createCollector } from "../harness/collector.ts";
import { wire } from "./wire.ts";

test("for some seconds nothing that is sent breaks a promise", async () => {
  const { report, broken, figures } = createCollector();
  await wire.run({ minutes: 0.1, seed: 7, report });
  expect(broken).toEqual([]);
  for (const noun of ["HTTP exchanges", "messages"]) {
    expect(figures[noun], noun).toBeGreaterThan(0);
  }
});
