import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { requirements } from "../requirements/index.ts";
import type { FamilySubject } from "../run/run-check.ts";
import { runChecks } from "../run/run-checks.ts";
import { type StartOptions, startCompanion } from "../target/started-companion.ts";
import { faults } from "../testing/faults/index.ts";
import { exampleSubject, incrementalLimits, quickLimits } from "../testing/subject.ts";
import { type Check, checks } from "./index.ts";

const built = realpathSync(mkdtempSync(path.join(tmpdir(), "conf-built-")));
const example = path.join(built, "example.mjs");

beforeAll(async () => {
  const entry = path.join(import.meta.dirname, "..", "testing", "example-process.ts");
  await build({ entryPoints: [entry], outfile: example, bundle: true, platform: "node", format: "esm" });
}, 60_000);
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** A companion for a check, with or without the fault that the check must find. */
async function subjectFor(
  check: Check,
  onEnd: (cleanup: () => void) => void,
  faulty: boolean,
): Promise<FamilySubject> {
  const { rules: broken = {}, good = {} } = faults[check.id] ?? {};
  const rules = faulty ? broken : good;
  // Checks of started companions need the good one for its address only.
  const startsOthers = check.lane === "process" || check.lane === "parallel";
  const folder = privateFolder(onEnd);
  const subject = await exampleSubject(folder, startsOthers ? {} : rules, onEnd);
  const command = [process.execPath, example, ...(faulty ? [check.id] : [])];
  const limits = faulty ? quickLimits : incrementalLimits;
  const start = (options: StartOptions) =>
    startCompanion({ command, folder, within: limits.process, ...options });
  return { ...subject, start, limits };
}

const named = checks.map((check) => ({ id: check.id, check }));

test.concurrent.for(named)("$id passes a good companion", async ({ check }, { onTestFinished }) => {
  const [result] = await runChecks([check], await subjectFor(check, onTestFinished, false));
  expect(result).toMatchObject({ status: "passed" });
});

test.concurrent.for(named)(
  "$id catches the broken companion that comes with it",
  async ({ check }, { onTestFinished }) => {
    const [result] = await runChecks([check], await subjectFor(check, onTestFinished, true));
    const says = faults[check.id]?.says ?? /$^/;
    expect(result).toMatchObject({ status: "failed", message: expect.stringMatching(says) });
  },
);

test("every check has a broken companion, and every broken companion a check", () => {
  expect(Object.keys(faults).sort()).toEqual(checks.map(({ id }) => id).sort());
});

test("no two checks have the same name", () => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
});

test("every requirement is checked, or says why it cannot be; and every check names requirements that there are", () => {
  const checked = new Set(checks.flatMap((check) => check.requirements));
  const checkable = requirements.filter(({ unchecked }) => unchecked === undefined).map(({ id }) => id);
  expect([...checked].sort()).toEqual(checkable.sort());
});

test("no two requirements have the same id, and each has a source", () => {
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
  expect(requirements.filter(({ sources }) => sources.length === 0)).toEqual([]);
});

test.each(["MUST", "SHOULD"])("what a specification words with %s is not less here", (word) => {
  const lesser = { MUST: ["SHOULD", "MAY"], SHOULD: ["MAY"] }[word];
  const worded = requirements.filter(({ sources }) =>
    sources.some(({ location, says }) => location !== "" && says.split(/\W+/).includes(word)),
  );
  expect(worded).not.toEqual([]);
  expect(worded.filter(({ level }) => lesser?.includes(level))).toEqual([]);
});
