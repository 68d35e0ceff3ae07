import { within } from "../harness/until.ts";
import { Stage } from "./stage.ts";

/** In milliseconds; whoever cannot end by then hangs. */
const patience = 60_000;

/** One stage for all that goes well; once something did not, a fresh one for each try to make it shorter. */
export interface Stages {
  use(run: (stage: Stage) => Promise<void>): Promise<void>;
  /** @throws Error when it takes too long */
  close(): Promise<void>;
}

export function createStages(): Stages {
  let stage: Promise<Stage> | undefined;
  let hasFailed = false;
  const close = async () => {
    const last = stage;
    stage = undefined;
    if (last)
      await within(
        "the end of CLIs and editors",
        patience,
        last.then((each) => each.close()),
      );
  };
  return {
    close,
    async use(run) {
      stage ??= Stage.start();
      try {
        await run(await stage);
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
