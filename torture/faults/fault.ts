import type { Random } from "../harness/random.ts";
import { createSandbox, type Sandbox } from "../harness/sandbox.ts";

/** A real failure of the machine around the companion. */
export interface Fault {
  /** What the user sees: a sentence. */
  readonly sentence: string;
  /** Why this machine cannot cause it; undefined when it can. */
  readonly obstacle?: () => string | undefined;
  /** @throws Error when the promise of the sentence is broken */
  run(fixture: Fixture): Promise<void>;
}

/** The environment of a fault. */
export interface Fixture {
  readonly sandbox: Sandbox;
  /** How long stopped processes stay stopped, in milliseconds. */
  readonly standstill: number;
  readonly random: Random;
  /** Undone in reverse order when the fault is over, whatever happens. */
  undo(work: () => unknown): void;
}

/** Causes a fault in a new sandbox, and undoes everything. */
export async function cause(
  fault: Fault,
  { standstill, random }: Pick<Fixture, "standstill" | "random">,
): Promise<void> {
  const sandbox = createSandbox();
  const undoing: (() => unknown)[] = [() => sandbox.remove()];
  try {
    await fault.run({ sandbox, standstill, random, undo: (work) => void undoing.push(work) });
  } finally {
    for (const work of undoing.reverse()) await work();
  }
}

/** What only an administrator of Linux may do. */
export function needsAdministrator(): string | undefined {
  if (process.platform !== "linux") return "needs Linux";
  return process.getuid?.() === 0 ? undefined : "needs root";
}

export const needsLinux = () => (process.platform === "linux" ? undefined : "needs Linux");
