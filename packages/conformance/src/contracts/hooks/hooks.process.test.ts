import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, inject, test } from "vitest";
import type {} from "../../../../companion/dist/testing/built-executable.js";
import { agentTests } from "../../testing/contract-tests.ts";
import { buildKit } from "../../testing/kit-program.ts";
import { startOurHooks } from "../../testing/our-hooks.ts";
import { hooks } from "./contract.ts";

agentTests({
  contract: hooks,
  limits: { answer: 10_000 },
  isBusy: true,
  // Each has the companion with which it is checked.
  async startOne() {
    throw new Error("no check starts one");
  },
  startExample: (folder, work, fault, isFaulty) =>
    startOurHooks(folder, work, {
      executable: inject("executable"),
      script: isFaulty ? fault?.script : undefined,
    }),
});

const { newFolder, run } = buildKit();

/** Its user has our commands, and no editor. */
const driver = `
cd "$2" 2>/dev/null || cd "$(dirname "$2")"
case $1 in
  review) $OURS review "$3" ;;
  written) $OURS changes diff "$2" || : ;;
  revert) $OURS changes revert --yes "$2" ;;
  *) exit 3 ;;
esac
`;

test("--agent hooks checks the program that --hook names, next to a companion that the command starts", async () => {
  const folder = newFolder();
  const [script, report] = [path.join(folder, "driver.sh"), path.join(folder, "report.json")];
  writeFileSync(script, driver);
  const ours = [process.execPath, inject("executable")];
  const chosen = ["private-record", "edits-recorded", "asks", "denies", "feedback"];
  const checks = chosen.flatMap((id) => ["--check", id]);
  const options = ["--patience", "4", "--json", report, "--editor-command", `sh ${script}`, ...checks];
  const command = ["--agent", "hooks", "--hook", [...ours, "hook"].join(" "), ...options, "--", ...ours];
  const env = { HOME: folder, OURS: ours.join(" ") };
  const { code, stdout, stderr } = await run([...command, "--no-open"], { folder, env });
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  const { results } = JSON.parse(readFileSync(report, "utf8"));
  const statuses = results.map(({ check, status }: Record<string, string>) => [check, status]);
  const passed = chosen.map((id) => [id, id === "denies" ? "not-run" : "passed"]);
  expect(Object.fromEntries(statuses), stdout).toEqual(Object.fromEntries(passed));
});

test.each([
  [2, ["--", "ls"], "--hook"],
  [2, ["--hook", "a", "--port", "1"], "not by --port"],
  [3, ["--hook", "a"], "a command starts"],
])("exit code %i for hooks with %j", async (code, args, said) => {
  const result = await run(["--agent", "hooks", ...args]);
  expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(said)]);
});
