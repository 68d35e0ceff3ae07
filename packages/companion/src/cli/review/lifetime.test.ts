import { expect, onTestFinished, test } from "vitest";
import { createLifetime, endSignals, isPipe } from "./lifetime.ts";

test.each([
  ["a pipe on Windows, where Stats.isFIFO() is false", 0o010_666, true],
  ["a pipe", 0o010_600, true],
  ["a socket, as Node's own child processes have", 0o140_777, true],
  ["a terminal or the null device", 0o020_666, false],
  ["a file", 0o100_644, false],
  ["a folder", 0o040_755, false],
])("%s differs from everything else by its mode", (_, mode, expected) => {
  expect(isPipe(mode)).toBe(expected);
});

test("Ctrl+Break of a console of Windows ends a command as Ctrl+C does", async () => {
  const lifetime = createLifetime({ endsWithInput: false });
  onTestFinished(() => lifetime.close());
  expect(endSignals).toContain("SIGBREAK");
  process.emit("SIGBREAK", "SIGBREAK");
  expect(await lifetime.ended).toBeGreaterThanOrEqual(128);
});
