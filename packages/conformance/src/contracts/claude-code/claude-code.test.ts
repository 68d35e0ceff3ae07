import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { agentChoices } from "../../agents.ts";
import { EditorFailed } from "../../target/editor-hook.ts";
import type { StartOptions } from "../../target/started-companion.ts";
import { incrementalLimits, quickLimits } from "../../testing/subject.ts";
import { contracts } from "../index.ts";
import { type ClaudeCheck, checks } from "./checks/index.ts";
import { startClaudeExample } from "./example/companion.ts";
import { rules } from "./requirements/index.ts";
import { type ClaudeSubject, runClaudeChecks } from "./run.ts";
import { findCompanions } from "./target/lock-file.ts";
import { startClaude } from "./target/started.ts";
import { faults } from "./testing/faults.ts";

const built = realpathSync(mkdtempSync(path.join(tmpdir(), "conf-built-")));
const example = path.join(built, "example.mjs");

beforeAll(async () => {
  const entry = path.join(import.meta.dirname, "testing", "example-process.ts");
  await build({ entryPoints: [entry], outfile: example, bundle: true, platform: "node", format: "esm" });
}, 60_000);
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** A companion for a check, with or without the fault that the check must find. */
async function subjectFor(
  check: ClaudeCheck,
  onEnd: (cleanup: () => void) => void,
  faulty: boolean,
): Promise<ClaudeSubject> {
  const folder = privateFolder(onEnd);
  const [configFolder, work] = [path.join(folder, "claude"), path.join(folder, "work")];
  mkdirSync(work);
  // Checks of started companions need the good one for its address only.
  const isBroken = faulty && check.lane !== "process";
  const running = await startClaudeExample({
    configFolder,
    folders: [work],
    rules: isBroken ? (faults[check.id]?.rules ?? {}) : {},
  });
  onEnd(() => running.close());
  const [target] = await findCompanions([configFolder]);
  if (!target) throw new Error("the example cannot be found");
  const limits = faulty ? quickLimits : incrementalLimits;
  const command = [process.execPath, example, ...(faulty ? [check.id] : [])];
  return {
    target,
    limits,
    scratch: work,
    perform: (action, args) =>
      running.editor.perform(action, args).catch((error: Error) => {
        throw new EditorFailed(error.message);
      }),
    start: (options: StartOptions) => startClaude({ command, folder, within: limits.process, ...options }),
  };
}

const named = checks.map((check) => ({ id: check.id, check }));

test.concurrent.for(named)("$id passes a good companion", async ({ check }, { onTestFinished }) => {
  const [result] = await runClaudeChecks([check], await subjectFor(check, onTestFinished, false));
  expect(result).toMatchObject({ status: "passed" });
});

test.concurrent.for(named)(
  "$id catches the broken companion that comes with it",
  async ({ check }, { onTestFinished }) => {
    const [result] = await runClaudeChecks([check], await subjectFor(check, onTestFinished, true));
    const says = faults[check.id]?.says ?? /$^/;
    expect(result).toMatchObject({ status: "failed", message: expect.stringMatching(says) });
  },
);

test("every agent that can be named has a contract", () => {
  expect(contracts.flatMap(({ agents }) => agents)).toEqual(agentChoices);
});

test("every check has a broken companion, and every broken companion a check", () => {
  expect(Object.keys(faults).sort()).toEqual(checks.map(({ id }) => id).sort());
});

test("every requirement is checked, or says why it cannot be; and every check names requirements that there are", () => {
  const checked = new Set(checks.flatMap((check) => check.requirements));
  const checkable = rules.requirements.filter(({ unchecked }) => unchecked === undefined).map(({ id }) => id);
  expect([...checked].sort()).toEqual(checkable.sort());
});
