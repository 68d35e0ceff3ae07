import { test } from "vitest";
import { createSandbox, type Sandbox } from "../harness/sandbox.ts";

/** How long stopped processes stay stopped, in milliseconds. */
export const standstill = 1000;

/** Why this machine cannot cause a fault; undefined when it can. */
export type Obstacle = string | undefined;

export const needsLinux: Obstacle = process.platform === "linux" ? undefined : "needs Linux";

/** What only an administrator of Linux may do. */
export const needsRoot: Obstacle = needsLinux ?? (process.getuid?.() === 0 ? undefined : "needs root");

/**
 * A real failure of the machine around a companion, next to others: they mostly wait.
 * @param sentence what the user sees @param run causes it in a new sandbox, with which all of it ends
 */
export function fault(sentence: string, run: (sandbox: Sandbox) => Promise<void>, obstacle?: Obstacle): void {
  test.concurrent(sentence, async ({ skip, onTestFinished }) => {
    if (obstacle !== undefined) skip(obstacle);
    const sandbox = createSandbox();
    onTestFinished(() => sandbox.remove());
    await run(sandbox);
  });
}

/** @throws Error that names the promise which does not hold */
export function demand(holds: unknown, promise: string): void {
  if (!holds) throw new Error(`broken: ${promise}`);
}
