import { expect, test } from "vitest";
import { isMatrix } from "../../packages/testkit/src/matrix.ts";
import { createSandbox, type Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { settleWithin } from "../../packages/testkit/src/waiting.ts";
import { missing } from "./installed.ts";

/** Longer than any single wait in a scenario, in milliseconds. */
const usualTime = 240_000;

export interface ScenarioOptions {
  /** Milliseconds. */
  readonly within?: number;
  /** Programs without which it is skipped, by name. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Runs at the same time as the others of its file that do. */
  readonly concurrent?: boolean;
  /** Only `npm run test:matrix` runs it. */
  readonly matrix?: boolean;
  /** Opens the sandbox that ends with it; a private one by default. */
  readonly open?: () => Promise<Sandbox>;
}

/**
 * One test in a private sandbox, which ends with it, whatever happens. When it fails, everything that ran
 * in the sandbox is shown.
 */
export function scenario(
  name: string,
  run: (sandbox: Sandbox) => Promise<void>,
  {
    within = usualTime,
    needs = {},
    concurrent = false,
    matrix = false,
    open = createSandbox,
  }: ScenarioOptions = {},
): void {
  if (matrix !== isMatrix) return;
  const absent = missing(needs);
  test(name, { timeout: within + 60_000, concurrent }, async ({ skip }) => {
    if (absent !== undefined) skip(absent);
    const sandbox = await open();
    try {
      await settleWithin(name, within, run(sandbox));
      expect(sandbox.faults()).toEqual([]);
    } catch (error) {
      console.error(await sandbox.describe());
      throw error;
    } finally {
      await sandbox.close();
    }
  });
}
