import { settleWithin } from "../../packages/testkit/src/waiting.ts";
import { Fixture } from "./fixture.ts";

/** In milliseconds; a process that has not ended by then hangs. */
const patience = 60_000;

export type Fixtures = ReturnType<typeof createFixtures>;

/** One fixture for all successful runs; after a failure, a new one for each attempt to shorten the sequence. */
export function createFixtures() {
  let fixture: Promise<Fixture> | undefined;
  let hasFailed = false;
  const close = async () => {
    const last = fixture;
    fixture = undefined;
    if (last)
      await settleWithin(
        "the end of CLIs and editors",
        patience,
        last.then((each) => each.close()),
      );
  };
  return {
    /** @throws Error when it takes too long */
    close,
    async use(run: (fixture: Fixture) => Promise<void>) {
      fixture ??= Fixture.start();
      try {
        await run(await fixture);
      } catch (error) {
        hasFailed = true;
        await close().catch((late: Error) => {
          throw new Error(
            `${error instanceof Error ? error.message : error}\nand at the end: ${late.message}`,
          );
        });
        throw error;
      }
      if (hasFailed) await close();
    },
  };
}
