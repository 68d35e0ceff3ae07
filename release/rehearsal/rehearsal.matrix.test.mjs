import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setUpToRehearse } from "../../scripts/setup.mjs";
import { published } from "../published.mjs";
import { useInstalled } from "./installed-programs.mjs";
import { managers } from "./managers.mjs";
import { Rehearsal } from "./rehearsal.mjs";

/** Milliseconds, on a busy machine. */
const within = { jobs: 1_800_000, install: 300_000 };

describe.skipIf(process.platform !== "linux" || process.arch !== "x64")("a rehearsed release", () => {
  const log = [];
  let rehearsal;
  beforeAll(async () => {
    await setUpToRehearse();
    rehearsal = await Rehearsal.start();
    await rehearsal.runJob("publish", (line) => log.push(line));
  }, within.jobs);
  afterAll(() => rehearsal?.close());

  test("runs every command of the job that publishes, but for three", () => {
    expect(log.filter((line) => !line.startsWith("ran: "))).toEqual([
      "not run, needs a network: npm audit",
      "not run, needs a network: npm audit signatures",
      expect.stringMatching(/^not run, needs a key: gh release create /),
    ]);
    expect(log.filter((line) => line.startsWith("ran: npm publish "))).toHaveLength(published.length);
  });

  test.each(managers)(
    "installs with $name",
    async (manager) => {
      const { version, kit, page } = await useInstalled(rehearsal, manager);
      expect(version).toBe(rehearsal.version);
      expect(kit).toContain("Checks which rules");
      expect(page).toContain("<script");
    },
    within.install,
  );
});
