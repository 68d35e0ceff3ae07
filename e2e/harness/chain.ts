import { expect, test } from "vitest";
import { missing } from "./installed.ts";
import { createWorld, type World } from "./world.ts";

/** Longer than any single wait in a chain, in milliseconds. */
const usualTime = 360_000;

export interface ChainOptions {
  /** Milliseconds. */
  readonly within?: number;
  /** Programs without which it is skipped, by name. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Runs beside the other ones of its file that do. */
  readonly concurrent?: boolean;
}

/**
 * One test in a world of its own, which ends with it, whatever happens. When it fails, everything that ran
 * in the world is shown.
 */
export function chain(
  name: string,
  run: (world: World) => Promise<void>,
  { within = usualTime, needs = {}, concurrent = false }: ChainOptions = {},
): void {
  const absent = missing(needs);
  test(name, { timeout: within + 60_000, concurrent }, async ({ skip }) => {
    if (absent !== undefined) skip(absent);
    const world = await createWorld();
    try {
      await withDeadline(run(world), within);
      expect(world.faults()).toEqual([]);
    } catch (error) {
      console.error(await world.describe());
      throw error;
    } finally {
      await world.close();
    }
  });
}

async function withDeadline(work: Promise<void>, within: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${within / 1000} s`)), within);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
