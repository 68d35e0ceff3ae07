import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createPaint } from "../../core/paint.ts";
import { createMachine, examine, startSeed } from "../../testing/doctor-machine.ts";
import { describeDiagnosis } from "./doctor-command.ts";

describe("the doctor's text", () => {
  test("shows every answer with its mark, wraps, and puts the remedy beneath", async () => {
    const machine = await createMachine();
    const diagnosis = await examine(machine);
    const text = describeDiagnosis(diagnosis, { home: machine.root, columns: 80 }, createPaint(false));
    expect(text[0]).toBe("Gemini CLI  ~/project");
    expect(text).toContain("  ✓ IDE mode               switched on in ~/home/.gemini/settings.json");
    expect(text).toContain("  ✗ Companion              none has this folder open");
    expect(text).toContain("    → Start a companion for this folder: ide-companion ~/project");
    expect(text).toContain("  · Connection             not known");
    expect(text.at(-1)).toBe("One thing is wrong: Gemini CLI does not show its diffs in an IDE here.");
    expect(text.every((line) => line.length <= 80)).toBe(true);
  });

  test("leaves a remedy in one line, so that it can be copied", async () => {
    const machine = await createMachine();
    const diagnosis = await examine(machine);
    const text = describeDiagnosis(diagnosis, { home: "/", columns: 40 }, createPaint(false));
    expect(text).toContain(`    → Start a companion for this folder: ide-companion ${diagnosis.folder}`);
  });

  test("shortens paths in your home, but none in quotation marks, which a shell would not expand", async () => {
    const machine = await createMachine();
    const folder = path.join(machine.home, "my shop");
    mkdirSync(folder);
    const diagnosis = await examine({ ...machine, folder });
    const text = describeDiagnosis(diagnosis, { home: machine.home, columns: 200 }, createPaint(false)).join(
      "\n",
    );
    expect(text).toContain("Gemini CLI  ~/my shop");
    expect(text).toContain(`ide-companion '${folder}'`);
    expect(text).not.toContain("'~");
  });

  test("says at its end that all is well", async () => {
    const machine = await createMachine();
    await startSeed(machine);
    const text = describeDiagnosis(
      await examine(machine),
      { home: machine.home, columns: 110 },
      createPaint(false),
    );
    expect(text.at(-1)).toBe("Gemini CLI connects to Seed, and shows its diffs there.");
  });
});
