import { expect, test } from "vitest";
import { createReport } from "../torture.ts";
import { runWire } from "./wire.ts";

test("for some seconds nothing that is sent breaks a promise", async () => {
  const { report, broken, figures } = createReport();
  await runWire({ minutes: 0.1, seed: 7, report });
  expect(broken).toEqual([]);
  for (const noun of ["HTTP exchanges", "messages"]) {
    expect(figures[noun], noun).toBeGreaterThan(0);
  }
});
