import { defineConfig } from "vitest/config";
import { Tally } from "./scripts/tally.mjs";

const tally = process.env.TALLY;

/** Machines are busy at times. The report names whatever did not pass at the first try, and why. */
const retry = 1;
/** The CLIs and editors are other people's, and overhear a key now and then as well. */
const retryOfScenarios = 2;

/** Groups run one after the other, so that nothing disturbs the unit tests' clocks. */
export default defineConfig({
  test: {
    reporters: ["default", ...(tally === undefined ? [] : [new Tally(tally)])],
    projects: [
      {
        test: {
          name: "unit",
          retry,
          include: ["packages/*/src/**/*.test.ts", "release/*.test.mjs", "scripts/**/*.test.mjs"],
          exclude: ["**/*.page.test.ts"],
          // Only what hangs may fail by it, however busy the machine is.
          testTimeout: 60_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "page",
          retry,
          include: ["packages/review-ui/**/*.page.test.ts"],
          exclude: ["**/node_modules/**"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "torture",
          retry,
          include: ["torture/**/*.test.ts"],
          testTimeout: 120_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "e2e",
          retry: retryOfScenarios,
          include: ["e2e/*.e2e.test.ts"],
          exclude: ["e2e/idle.e2e.test.ts"],
          // They mostly wait, for terminals and for each other.
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // Agents, editors and versions in full; `npm run test:matrix`, before a release and whenever a row changes.
        test: {
          name: "matrix",
          retry: retryOfScenarios,
          include: ["e2e/matrix/*.matrix.test.ts"],
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // Six minutes of silence; `scripts/test.mjs` runs it beside all the others.
        test: { name: "idle", include: ["e2e/idle.e2e.test.ts"], sequence: { groupOrder: 3 } },
      },
    ],
  },
});
