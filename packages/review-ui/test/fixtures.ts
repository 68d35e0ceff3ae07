import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type Fixture, type FixtureOptions, type Harness, openHarness } from "./page-harness.ts";

export interface FixturesOptions {
  /** What the page complains of in its console fails no test, as where its companion goes away. */
  readonly mayComplain?: boolean;
}

/** For the tests of a file: one browser, and in each test one fixture at a time, which is closed after it. */
export function useFixtures({ mayComplain = false }: FixturesOptions = {}) {
  let harness: Harness;
  let fixture: Fixture | undefined;
  beforeAll(async () => {
    harness = await openHarness();
  });
  afterEach(async () => {
    if (!mayComplain) expect(fixture?.complaints).toEqual([]);
    await fixture?.close();
    fixture = undefined;
  });
  afterAll(() => harness.close());
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
