import { diffsChecks } from "./diffs.ts";
import { discoveryChecks } from "./discovery.ts";
import { lifecycleChecks } from "./lifecycle.ts";
import type { ClaudeCheck } from "./means.ts";
import { messagesChecks } from "./messages.ts";
import { socketChecks } from "./socket.ts";
import { contextChecks, diagnosticsChecks } from "./state.ts";

/** Every check, in the order of the requirements. */
export const checks: readonly ClaudeCheck[] = [
  ...discoveryChecks,
  ...socketChecks,
  ...messagesChecks,
  ...diffsChecks,
  ...contextChecks,
  ...diagnosticsChecks,
  ...lifecycleChecks,
];

export type { ClaudeCheck, Means } from "./means.ts";
