/** How one step went. */
export type Result =
  | "ok"
  /** Works, and is worth knowing when something else does not. */
  | "note"
  | "failed"
  /** An earlier link has failed: nothing can be said. */
  | "unreached";

/** One step from a CLI to its IDE. */
export interface Step {
  /** For programs that read `--json`. */
  readonly id: string;
  readonly title: string;
  readonly result: Result;
  /** What was found, for people; never a token. */
  readonly evidence: readonly string[];
  /** The one thing to do. Every failed step has one, no other has. */
  readonly remedy?: string;
}

/** How the steps of one family of CLIs are made. */
export interface StepMaker<Id extends string> {
  ok(id: Id, ...evidence: readonly string[]): Step;
  note(id: Id, ...evidence: readonly string[]): Step;
  unreached(id: Id, ...evidence: readonly string[]): Step;
  failed(id: Id, evidence: readonly string[], remedy: string): Step;
}

/** @param titles for people, by the steps' ids, in the order in which the CLIs take them */
export function createSteps<Id extends string>(titles: Readonly<Record<Id, string>>): StepMaker<Id> {
  const toStep =
    (result: Result) =>
    (id: Id, ...evidence: readonly string[]): Step => ({ id, title: titles[id], result, evidence });
  return {
    ok: toStep("ok"),
    note: toStep("note"),
    unreached: toStep("unreached"),
    failed: (id, evidence, remedy) => ({ ...toStep("failed")(id, ...evidence), remedy }),
  };
}

/** Whether the CLI would connect and show its diffs in the IDE. */
export const isSound = (steps: readonly Step[]): boolean =>
  steps.every(({ result }) => result === "ok" || result === "note");
