import { expect, test } from "vitest";
import { endingOn, whyUnknown } from "./process.ts";

test("a companion is ended by signals to its group where there are groups", () => {
  for (const platform of ["linux", "darwin"] as const) {
    const ending = endingOn(platform);
    expect([ending.hasGroups, ending.gentle("SIGTERM"), ending.killCommand(7)]).toEqual([
      true,
      "signal",
      undefined,
    ]);
    expect(whyUnknown(platform)).toBeUndefined();
  }
});

test("on Windows a companion is asked by the end of its standard input, and ended with its whole tree", () => {
  const ending = endingOn("win32");
  expect([ending.hasGroups, ending.gentle("SIGTERM"), ending.gentle("SIGKILL")]).toEqual([
    false,
    "end-of-input",
    "signal",
  ]);
  expect(ending.killCommand(7)).toEqual(["taskkill", "/PID", "7", "/T", "/F"]);
  expect(whyUnknown("win32")).toMatch(/no SIGTERM on Windows/);
});
