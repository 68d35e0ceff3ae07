import { afterEach, expect, test } from "vitest";
import { type Fixture, type FixtureOptions, type Harness, openHarness } from "./page-harness.ts";

export interface FixturesOptions {
  /** What the page complains of in its console fails no test, as where its companion goes away. */
  readonly mayComplain?: boolean;
}

/** One browser for all files of a process: its start, and the first page in it, take longer than some of them. */
// biome-ignore lint/correctness/noEmptyPattern: vitest reads there what a fixture depends on
const inBrowser = test.extend("harness", { scope: "worker" }, async ({}, { onCleanup }) => {
  const harness = await openHarness();
  onCleanup(() => harness.close());
  return harness;
});

/** For the tests of a file: in each test one fixture at a time, which is closed after it. */
export function useFixtures({ mayComplain = false }: FixturesOptions = {}) {
  let harness: Harness;
  let fixture: Fixture | undefined;
  inBrowser.beforeAll(({ harness: shared }) => {
    harness = shared;
  });
  afterEach(async () => {
    if (!mayComplain) expect(fixture?.complaints).toEqual([]);
    await fixture?.close();
    fixture = undefined;
  });
  return {
    setUp: async (options?: FixtureOptions): Promise<Fixture> => {
      fixture = await harness.fixture(options);
      return fixture;
    },
    /** Of the test that runs. */
    current: (): Fixture => {
      if (!fixture) throw new Error("the test has set up no fixture");
      return fixture;
    },
  };
}
