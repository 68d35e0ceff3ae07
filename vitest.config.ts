import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./scripts/longest-first.mjs";
import { Tally } from "./scripts/tally.mjs";

const tally = process.env.TALLY;

/**
 * The CLIs and editors are other people's and overhear a key now and then, and a busy machine stops any process for
 * seconds. The report names whatever did not pass at the first try, and why.
 */
const retry = 1;

/** Files of each commit that have something for the matrix as well: those in a folder whose text fits. */
const withMatrixPart = (folder: string, ending: string, text: RegExp) =>
  readdirSync(join(import.meta.dirname, folder))
    .map((name) => `${folder}/${name}`)
    .filter(
      (path) => path.endsWith(ending) && text.test(readFileSync(join(import.meta.dirname, path), "utf8")),
    );

/** Not free software: users of these are bound by its terms, so they are started by name alone. */
const byNameAlone = ["claude-code", "copilot-cli", "five-agents"]
  .filter((name) => !process.argv.some((argument) => argument.includes(name)))
  .map((name) => `e2e/*/${name}*.test.ts`);

/** Unit tests that replace modules by `vi.mock`. Each of these files runs in a separate process. */
export const replacing = ["packages/vscode/src/**/*.test.ts"];

const unit = {
  retry,
  // Only what hangs may fail by it, however busy the machine is.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // They wait, half of the time. Each worker imports the companion once more, which is a second of a processor and more.
  maxWorkers: 5,
  // Concurrent tests wait: for processes, and for what must not happen.
  maxConcurrency: 8,
  sequence: { groupOrder: 0 },
};

/**
 * They mostly wait: for browsers, terminals and each other. Five at once leave two processors a sixth of their time, and
 * each more costs two seconds.
 */
const waiting = {
  maxWorkers: 6,
  sequence: { groupOrder: 1 },
  // A second by default, which a busy machine may take for anything.
  expect: { poll: { timeout: 60_000 } },
};

const page = {
  retry,
  globalSetup: ["packages/review-ui/test/built-page.ts"],
  // The files leave nothing behind in their process, and importing the companion takes longer than some of them.
  isolate: false,
  testTimeout: 180_000,
  hookTimeout: 180_000,
  ...waiting,
};

/** Groups run one after the other, so that nothing disturbs the unit tests' clocks. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: ["default", ...(tally === undefined ? [] : [new Tally(tally)])],
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "packages/*/src/**/*.test.ts",
            "bench/*.test.mjs",
            "release/*.test.mjs",
            "scripts/**/*.test.mjs",
            "site/*.test.mjs",
          ],
          exclude: ["**/*.page.test.ts", "**/*.process.test.ts", "**/*.matrix.test.mjs", ...replacing],
          // A process for each file would cost as much as its tests.
          isolate: false,
          ...unit,
        },
      },
      { test: { name: "unit-alone", include: replacing, ...unit } },
      {
        test: { name: "page", include: ["packages/review-ui/test/*.page.test.ts"], ...page },
      },
      {
        // The executable and the kit as programs. They wait for these, as the scenarios do for theirs.
        test: {
          name: "process",
          include: ["packages/*/src/**/*.process.test.ts"],
          globalSetup: ["packages/companion/src/testing/built-executable.ts"],
          isolate: false,
          ...unit,
          ...waiting,
        },
      },
      {
        test: {
          name: "torture",
          retry,
          include: ["torture/**/*.test.ts"],
          // Importing the companion takes longer than most of the files.
          isolate: false,
          testTimeout: 180_000,
          ...waiting,
        },
      },
      {
        // Each part for as long as it is given; `npm run torture`.
        test: { name: "torture-long", include: ["torture/*/*.torture.ts"], maxWorkers: 1 },
      },
      {
        test: {
          name: "e2e",
          retry,
          include: ["e2e/*.e2e.test.ts"],
          // They share nothing but code.
          isolate: false,
          ...waiting,
        },
      },
      {
        // Agents, editors and versions in full; `npm run test:matrix`, before a release and whenever a row changes.
        test: {
          name: "matrix",
          retry,
          include: ["e2e/matrix/*.matrix.test.ts", "release/**/*.matrix.test.mjs", "site/*.matrix.test.mjs"],
          exclude: byNameAlone,
          // Two builds of everything, next to scenarios.
          testTimeout: 300_000,
          hookTimeout: 60_000,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // The executable in Wine; `npm run test:windows`.
        test: {
          name: "windows",
          include: ["e2e/windows/*.windows.test.ts"],
          maxWorkers: 1,
        },
      },
      {
        // The combinations that page tests of each commit leave to the matrix.
        test: {
          ...page,
          name: "matrix-page",
          env: { TEST_MATRIX: "1" },
          include: withMatrixPart("packages/review-ui/test", ".page.test.ts", /isMatrix/),
        },
      },
      {
        // Writes packages/testkit/recordings; `npm run record`.
        test: {
          name: "record",
          include: ["e2e/record/*.record.test.ts"],
          exclude: byNameAlone,
          maxWorkers: 2,
        },
      },
      {
        // The scenarios that files of each commit leave to the matrix.
        test: {
          name: "matrix-e2e",
          env: { TEST_MATRIX: "1" },
          retry,
          include: withMatrixPart("e2e", ".e2e.test.ts", /matrix: |of proposers/),
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
