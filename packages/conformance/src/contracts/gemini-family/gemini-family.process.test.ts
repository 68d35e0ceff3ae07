import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { systemFoldersIn } from "../../target/folders.ts";
import {
  builtExamples,
  contractTests,
  incrementalLimits,
  performIn,
  quickLimits,
  startExamples,
} from "../../testing/contract-tests.ts";
import { checks } from "./checks/index.ts";
import type { Check } from "./checks/means.ts";
import { type FamilySubject, rules, runChecks } from "./contract.ts";
import { startExample } from "./example/companion.ts";
import type { Rules } from "./example/rules.ts";
import { findCompanions, startFamily } from "./target/target.ts";
import { faults } from "./testing/faults/index.ts";

const example = builtExamples();

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
  const limits = faulty ? quickLimits : incrementalLimits;
  const start = startExamples({
    agent: "gemini",
    check,
    isFaulty: faulty,
    example,
    folder,
    limits,
    startOne: startFamily,
  });
  return { ...subject, start, limits };
}

/** An example in this process, as a subject whose editor can be driven. */
async function exampleSubject(
  folder: string,
  rules: Partial<Rules>,
  onEnd: (cleanup: () => void) => void,
): Promise<FamilySubject> {
  const systemFolders = systemFoldersIn(folder);
  const work = join(folder, "work");
  for (const made of [systemFolders.tmp, work]) mkdirSync(made);
  const example = await startExample({ systemFolders, folders: [work], rules: { keepAlive: 100, ...rules } });
  onEnd(() => example.close());
  const [target] = await findCompanions(systemFolders);
  if (!target) throw new Error("the example cannot be found");
  return { target, limits: quickLimits, perform: performIn(example.editor), scratch: work };
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
