import { renameSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf } from "./error-message.ts";

export interface ReplaceOptions {
  /** Called right before each try; refuses by throwing. */
  readonly check?: () => void;
  readonly rename?: (from: string, to: string) => void;
  readonly platform?: NodeJS.Platform;
}

/** How long another program may keep a file from being replaced, in milliseconds. */
const patience = { waiting: 2000, blocking: 150 };

/**
 * Puts a finished file in another one's place in one step.
 * @throws the file system's error, on Windows not before it has lasted for two seconds
 */
export function replaceFile(from: string, to: string, options: ReplaceOptions = {}): Promise<void> {
  const { check, rename = renameSync, platform } = options;
  return onceFree(() => {
    check?.();
    rename(from, to);
  }, platform);
}

/**
 * Does something with a file that another program may have open for a moment, and tries again while it has.
 * @throws what `act` throws, on Windows not before it has lasted for two seconds
 */
export async function onceFree<T>(act: () => T, platform?: NodeJS.Platform): Promise<T> {
  let waited = 0;
  for (;;) {
    try {
      return act();
    } catch (error) {
      const delay = retryDelay(error, waited, { limit: patience.waiting, ...(platform && { platform }) });
      if (delay === undefined) throw error;
      await pause(delay);
      waited += delay;
    }
  }
}

/** Blocking variant, for callers that nothing may interleave with: it gives up sooner. */
export function replaceFileSync(from: string, to: string, options: ReplaceOptions = {}): void {
  const { check, rename = renameSync } = options;
  let waited = 0;
  for (;;) {
    check?.();
    try {
      rename(from, to);
      return;
    } catch (error) {
      const delay = retryDelay(error, waited, { limit: patience.blocking, ...options });
      if (delay === undefined) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delay);
      waited += delay;
    }
  }
}

export interface RetryOptions {
  /** In milliseconds. */
  readonly limit: number;
  readonly platform?: NodeJS.Platform;
}

/**
 * How long to wait before the next try, in milliseconds. On Windows a file that another program has open, a virus
 * scanner say, cannot be replaced until that has closed it.
 * @param waited in milliseconds, all tries together
 * @returns undefined when the error is final
 */
export function retryDelay(
  error: unknown,
  waited: number,
  { limit, platform = process.platform }: RetryOptions,
): number | undefined {
  if (whyHeld(error, platform) === undefined || waited >= limit) return undefined;
  return Math.min(Math.max(1, waited), 100, limit - waited);
}

/**
 * What is probably wrong with a file that Windows gives nobody, as it goes on after its name. Windows does not say which
 * of the two it is.
 * @returns undefined for any other error
 */
export function whyHeld(error: unknown, platform: NodeJS.Platform = process.platform): string | undefined {
  const code = codeOf(error);
  const isHeld = code === "EPERM" || code === "EACCES" || code === "EBUSY";
  if (platform !== "win32" || !isHeld) return undefined;
  return `another program has it open, or you may not change it (${code})`;
}
