import path from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { rules } from "../requirements/index.ts";
import type { FamilySubject } from "../run/run-check.ts";
import { runChecks } from "../run/run-checks.ts";
import { type StartOptions, startCompanion } from "../target/started-companion.ts";
import { builtForTests, contractTests } from "../testing/contract-tests.ts";
import { faults } from "../testing/faults/index.ts";
import { exampleSubject, incrementalLimits, quickLimits } from "../testing/subject.ts";
import { type Check, checks } from "./index.ts";

const example = builtForTests(path.join(import.meta.dirname, "..", "testing", "example-process.ts"));

/** A companion for a check, with or without the fault that the check must find. */
async function subjectFor(
  check: Check,
  onEnd: (cleanup: () => void) => void,
  faulty: boolean,
): Promise<FamilySubject> {
  const { rules: broken = {}, good = {} } = faults[check.id] ?? {};
  const kept = faulty ? broken : good;
  // Checks of started companions need the good one for its address only.
  const startsOthers = check.lane === "process" || check.lane === "parallel";
  const folder = privateFolder(onEnd);
  const subject = await exampleSubject(folder, startsOthers ? {} : kept, onEnd);
  const command = [process.execPath, example, ...(faulty ? [check.id] : [])];
  const limits = faulty ? quickLimits : incrementalLimits;
  const start = (options: StartOptions) =>
    startCompanion({ command, folder, within: limits.process, ...options });
  return { ...subject, start, limits };
}

contractTests({
  rules,
  checks,
  faults,
  run: async (check, onEnd, isFaulty) => runChecks([check], await subjectFor(check, onEnd, isFaulty)),
});

test.each(["MUST", "SHOULD"])("what a specification words with %s is not less here", (word) => {
  const lesser = { MUST: ["SHOULD", "MAY"], SHOULD: ["MAY"] }[word];
  const worded = rules.requirements.filter(({ sources }) =>
    sources.some(({ location, says }) => location !== "" && says.split(/\W+/).includes(word)),
  );
  expect(worded).not.toEqual([]);
  expect(worded.filter(({ level }) => lesser?.includes(level))).toEqual([]);
});
