import type { Check } from "../check.ts";
import { filesRemoved, hangUp, serverStops } from "./end.ts";
import { livingFiles, serverFirst, sweep } from "./start.ts";

export const lifecycleChecks: readonly Check[] = [
  serverFirst,
  filesRemoved,
  serverStops,
  hangUp,
  sweep,
  livingFiles,
];
