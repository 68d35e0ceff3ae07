import type { CodexCheck } from "./means.ts";
import { questionChecks } from "./questions.ts";
import { sharingChecks } from "./sharing.ts";
import { lifecycleChecks, socketChecks } from "./socket.ts";

/** Every check, in the order of the requirements. */
export const checks: readonly CodexCheck[] = [
  ...socketChecks,
  ...questionChecks,
  ...sharingChecks,
  ...lifecycleChecks,
];

export type { CodexCheck, Means } from "./means.ts";
