import { describe, expect, test } from "vitest";
import { torture } from "./command.ts";
import type { Part, PartOptions } from "./part.ts";

const part = (name: string, run: Part["run"]): Part => ({ name, sentence: `Tries ${name}.`, run });

async function run(args: readonly string[], parts: readonly Part[]) {
  const lines: string[] = [];
  const code = await torture(args, { parts, print: (line) => lines.push(line) });
  return { code, output: lines.join("\n") };
}

describe("npm run torture", () => {
  test("runs every part with the same minutes and seed, and sums up", async () => {
    const given: Omit<PartOptions, "report">[] = [];
    const note: Part["run"] = async ({ minutes, seed, report }) => {
      given.push({ minutes, seed });
      report.figure("tries", 12);
    };
    const { code, output } = await run(
      ["--minutes", "0.5", "--seed", "7"],
      [part("a", note), part("b", note)],
    );
    expect(code).toBe(0);
    expect(given).toEqual([
      { minutes: 0.5, seed: 7 },
      { minutes: 0.5, seed: 7 },
    ]);
    expect(output).toContain(
      "part  time  result  figures\na     0 s   held    12 tries\nb     0 s   held    12 tries",
    );
  });

  test("ends with 1, the sequence and the command that reproduces it when a promise was broken", async () => {
    const a = part("a", async ({ report }) => report.broken("a diff was lost", "open\nclose"));
    const b = part("b", () => Promise.reject(new Error("no such thing")));
    const c = part("c", async () => {});
    const { code, output } = await run(["--seed", "7", "--minutes", "1"], [a, b, c]);
    expect(code).toBe(1);
    expect(output).toContain("BROKEN in a: a diff was lost\n    open\n    close");
    expect(output).toContain("BROKEN in b: Error: no such thing");
    expect(output).toMatch(/\nc +0 s +held\n/);
    expect(output).toContain("Reproduce it with: npm run torture -- a --minutes 1 --seed 7");
    expect(output).not.toContain("npm run torture -- c");
  });

  test("runs only the parts that are named", async () => {
    const ran: string[] = [];
    const parts = ["a", "b"].map((name) => part(name, async () => void ran.push(name)));
    await run(["b"], parts);
    expect(ran).toEqual(["b"]);
  });

  test("prints the random seed", async () => {
    const seeds: number[] = [];
    const { output } = await run([], [part("a", async ({ seed }) => void seeds.push(seed))]);
    expect(output).toContain(`Seed ${seeds[0]},`);
  });

  test.each([
    [["nonsense"], 'there is no part "nonsense"'],
    [["--minutes", "0"], '--minutes must be a number above 0, got "0"'],
    [["--seed", "-1"], "--seed"],
    [["--seed", "1.5"], '--seed must be a whole number from 0 to 4294967295, got "1.5"'],
    [["--what"], "Unknown option '--what'"],
  ])("refuses %j and says why", async (args, reason) => {
    const { code, output } = await run(args, [part("a", () => Promise.reject(new Error("not to be run")))]);
    expect(code).toBe(2);
    expect(output).toContain(reason);
    expect(output).toContain("Usage: npm run torture");
  });

  test("explains itself", async () => {
    const { code, output } = await run(
      ["--help"],
      [part("a", () => Promise.reject(new Error("not to be run")))],
    );
    expect(code).toBe(0);
    expect(output).toContain("  a  Tries a.");
  });
});
