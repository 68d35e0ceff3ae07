/** A rule is broken; the message says what was expected and what came instead. */
export class Broken extends Error {
  override readonly name = "Broken";
}

/** A check could not run; the message says what is missing. */
export class NotRun extends Error {
  override readonly name = "NotRun";
}

/** @throws Broken with this message when the condition does not hold. */
export function demand(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Broken(message);
}

/** @throws Broken with all of them when there is one. */
export function demandNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new Broken(problems.join("; "));
}
