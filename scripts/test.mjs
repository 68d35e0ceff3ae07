import "./node-version.mjs";
import { randomInt } from "node:crypto";
import { chmod, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildBundles } from "./build.mjs";
import { check } from "./check.mjs";
import { attempt } from "./command.mjs";
import { findLastingLeftovers } from "./leftovers.mjs";
import { packageAll } from "./package.mjs";
import { inRepository, repository } from "./repository.mjs";
import { setUpToRecord, setUpToRun, setUpToTest, setUpToTestMatrix, setUpToTestWindows } from "./setup.mjs";
import { makeTemporaryFolder } from "./temporary.mjs";

/** How to prepare for the tests, vitest's projects, and variables that they have in addition or do without. */
const commit = {
  setUp: setUpToTest,
  projects: ["unit", "unit-alone", "page", "torture", "process", "e2e"],
  // They reach this machine alone. Node 20 reads these certificates at each start, which takes as long as the start.
  variables: { NODE_EXTRA_CA_CERTS: undefined },
};
const matrix = { setUp: setUpToTestMatrix, projects: ["matrix", "matrix-e2e", "matrix-page"] };
const windows = { setUp: setUpToTestWindows, projects: ["windows"] };
const torture = { setUp: async () => [], build: buildBundles, projects: ["torture-long"] };
const record = { setUp: setUpToRecord, build: buildBundles, projects: ["record"] };
const byOption = { "--matrix": matrix, "--windows": windows, "--torture": torture, "--record": record };

/**
 * All tests of a commit, or with `--matrix [NAME …]` those of editors, agents and versions that are run before a
 * release, or with `--windows [NAME …]` those in Wine, or with `--torture [PART …] [--minutes N] [--seed N]` the parts
 * of the torture, or with `--record [NAME …]` those that write packages/testkit/recordings with the agent CLIs as they
 * are installed now; its last line says how many passed and failed.
 */
async function main([option, ...words]) {
  const chosen = byOption[option] ?? commit;
  const { setUp, build = () => check().then(packageAll), projects } = chosen;
  const { names, variables } =
    chosen === torture ? parseTorture(words) : { names: words, variables: chosen.variables };
  await setUpToRun();
  // At once, since an editor takes over a minute to install.
  const both = await Promise.allSettled([setUp(), build()]);
  for (const { status, reason } of both) if (status === "rejected") throw reason;
  for (const reason of both[0].value) console.log(`Not everything can be tested here: ${reason}`);
  const tmp = await makeTemporaryFolder();
  // Some tests have another user, who has to get through to what is shared.
  await chmod(tmp, 0o711);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => stop.abort(new Error(`The tests were ended by ${signal}`)));
  }
  try {
    const tally = await vitest(projects, { tmp, names, variables, signal: stop.signal });
    const leftovers = await findLastingLeftovers(tmp);
    for (const { pid, command } of leftovers) console.error(`Left behind: process ${pid}, ${command}`);
    return { ...tally, failed: tally.failed + leftovers.length };
  } finally {
    await tidy(tmp);
  }
}

/** @throws Error when they are no words of the torture's */
function parseTorture(words) {
  const options = {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: String(randomInt(2 ** 32)) },
  };
  const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
  const { minutes, seed } = values;
  if (!(Number(minutes) > 0) || Number(minutes) === Infinity)
    throw new Error(`--minutes must be a number above 0, got ${JSON.stringify(minutes)}`);
  if (!/^\d+$/.test(seed) || Number(seed) >= 2 ** 32)
    throw new Error(`--seed must be a whole number from 0 to ${2 ** 32 - 1}, got ${JSON.stringify(seed)}`);
  console.log(`Seed ${seed}, at most ${minutes} minutes a part.`);
  return { names: positionals, variables: { TORTURE_MINUTES: minutes, TORTURE_SEED: seed } };
}

/** Runs these projects. @returns what `Tally` has written */
async function vitest(projects, { tmp, names, variables, signal }) {
  const TALLY = join(tmp, "tally.json");
  const TMPDIR = join(tmp, "t");
  await mkdir(TMPDIR);
  const script = inRepository("node_modules", "vitest", "vitest.mjs");
  const args = [script, "run", ...projects.map((project) => `--project=${project}`), ...names];
  const env = { ...process.env, ...variables, TALLY, TMPDIR, TMP: TMPDIR, TEMP: TMPDIR };
  const { code } = await attempt(process.execPath, args, { cwd: repository, env, signal });
  signal.throwIfAborted();
  const tally = JSON.parse(await readFile(TALLY, "utf8"));
  if (code !== 0 && tally.failed === 0) tally.failed = 1;
  return tally;
}

async function tidy(tmp) {
  // One that is killed may have started another meanwhile; one that hangs in the system is not waited for.
  await findLastingLeftovers(tmp, kill);
  await rm(tmp, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

function report({ passed, failed, skipped, again, files }) {
  console.log("\nSlowest files:");
  for (const { path, milliseconds } of files.sort((a, b) => b.milliseconds - a.milliseconds).slice(0, 30)) {
    console.log(`${(milliseconds / 1000).toFixed(1).padStart(8)} s  ${path}`);
  }
  for (const { name, error } of again) console.log(`Not passed at the first try: ${name} (${error})`);
  for (const { name, reason } of skipped) console.log(`Skipped: ${name} (${reason})`);
  console.log(
    `\n${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`,
  );
}

try {
  const total = await main(process.argv.slice(2));
  report(total);
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log("\n0 passed, 1 failed");
  process.exitCode = 1;
}
