import { constants } from "node:os";

/**
 * Lets a signal end this process as an exit does, which takes processes, disks and folders with it; see
 * `createSandbox`.
 */
export function exitOnSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
