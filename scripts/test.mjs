import { chmod, mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check } from "./check.mjs";
import { attempt } from "./command.mjs";
import { findLeftovers } from "./leftovers.mjs";
import { packageAll } from "./package.mjs";
import { inRepository, repository } from "./repository.mjs";
import { setUpToTest } from "./setup.mjs";

/** All tests; its last line tells how many passed and failed. */
async function main() {
  const reasons = await setUpToTest();
  for (const reason of reasons) console.log(`Not everything can be tested here: ${reason}`);
  await check();
  await packageAll();
  const tmp = await realpath(await mkdtemp(join(tmpdir(), "ide-test-")));
  // Some tests have another user, who has to get through to what is shared.
  await chmod(tmp, 0o711);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => void tidy(tmp).finally(() => process.exit(1)));
  }
  try {
    const tallies = await runTests(tmp);
    const leftovers = await findLeftovers(tmp);
    for (const { pid, command } of leftovers) console.error(`Left behind: process ${pid}, ${command}`);
    return sum([...tallies, { ...nothing(), failed: leftovers.length }]);
  } finally {
    await tidy(tmp);
  }
}

/** The test that only waits runs beside all the others; what it printed comes last. */
async function runTests(tmp) {
  const idle = vitest("idle", tmp, { quiet: true });
  const others = await vitest("others", tmp);
  const last = await idle;
  console.log(last.output);
  return [others.tally, last.tally];
}

async function vitest(name, tmp, { quiet = false } = {}) {
  const TALLY = join(tmp, `${name}.json`);
  const TMPDIR = join(tmp, name);
  await mkdir(TMPDIR);
  const project = name === "idle" ? "idle" : "!idle";
  const script = inRepository("node_modules", "vitest", "vitest.mjs");
  const args = [script, "run", `--project=${project}`, "--passWithNoTests"];
  const env = { ...process.env, TALLY, TMPDIR, TMP: TMPDIR, TEMP: TMPDIR };
  const { code, output } = await attempt(process.execPath, args, { cwd: repository, env, quiet });
  const tally = JSON.parse(await readFile(TALLY, "utf8"));
  if (code !== 0 && tally.failed === 0) tally.failed = 1;
  return { tally, output };
}

const nothing = () => ({ passed: 0, failed: 0, skipped: [], again: [], files: [] });

function sum(tallies) {
  const total = nothing();
  for (const { passed, failed, skipped, again, files } of tallies) {
    total.passed += passed;
    total.failed += failed;
    total.skipped.push(...skipped);
    total.again.push(...again);
    total.files.push(...files);
  }
  return total;
}

async function tidy(tmp) {
  for (const { pid } of await findLeftovers(tmp)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
  await rm(tmp, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

function report({ passed, failed, skipped, again, files }) {
  console.log("\nSlowest files:");
  for (const { path, milliseconds } of files.sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 30)) {
    console.log(`${(milliseconds / 1000).toFixed(1).padStart(8)} s  ${path}`);
  }
  for (const { name, error } of again) console.log(`Passed at the second try only: ${name} (${error})`);
  for (const { name, reason } of skipped) console.log(`Skipped: ${name} (${reason})`);
  console.log(
    `\n${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`,
  );
}

try {
  const total = await main();
  report(total);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log("\n0 passed, 1 failed");
  process.exitCode = 1;
}
