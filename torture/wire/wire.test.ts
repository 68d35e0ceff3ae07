import { expect, test } from "vitest";
import { wire } from "./wire.ts";

test("for some seconds nothing that is sent breaks a promise", async () => {
  const broken: string[] = [];
  const figures = new Map<string, string | number>();
  await wire.run({
    minutes: 0.1,
    seed: 7,
    report: {
      progress: () => {},
      figure: (name, value) => figures.set(name, value),
      broken: (symptom, sequence = "") => broken.push(`${symptom}\n${sequence}`),
    },
  });
  expect(broken).toEqual([]);
  for (const noun of ["HTTP exchanges", "messages", "LSP conversations", "sessions tried"]) {
    expect(figures.get(noun), noun).toBeGreaterThan(0);
  }
});
