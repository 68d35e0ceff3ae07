import { torture } from "../torture.ts";
import { runSequences } from "./sequences.ts";

torture(
  "sequences",
  "four CLIs, one of which takes no edits, and two editors act at random, concurrently; some are killed",
  (options) =>
    runSequences(options, {
      count: 10_000,
      kills: 1,
      width: 4,
      slack: { heap: 8 * 2 ** 20, resident: 100 * 2 ** 20, count: 8 },
    }),
);
