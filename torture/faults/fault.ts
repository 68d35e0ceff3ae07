import { createSandbox, type Sandbox } from "../harness/sandbox.ts";

/** Something that goes wrong around the companion, brought about for real. */
export interface Fault {
  /** What the user sees of it: a sentence. */
  readonly sentence: string;
  /** Why it cannot be brought about on this machine; undefined when it can. */
  readonly obstacle?: () => string | undefined;
  /** @throws Error when the promise of the sentence is broken */
  run(fixture: Fixture): Promise<void>;
}

/** Where a fault happens, and how long. */
export interface Fixture {
  readonly sandbox: Sandbox;
  /** How long what stands still stands still, in milliseconds. */
  readonly standstill: number;
  /** From 0 to 1, by seed. */
  readonly random: () => number;
  /** Undone in reverse order when the fault is over, whatever happens. */
  undo(work: () => unknown): void;
}

/** Brings a fault about on a machine of its own, and undoes everything. */
export async function bringAbout(
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
