import type { CheckHead, Lane } from "../contracts/check.ts";
import type { RuleBook } from "../contracts/requirement.ts";
import type { Started } from "../target/process.ts";
import { headOf, type Outcome, type Result } from "./result.ts";
import type { Isolated } from "./subject.ts";

/** How many checks of a lane run concurrently. They mostly wait. */
const width: Readonly<Record<Lane, number>> = { wire: 8, editor: 1, proposals: 4, parallel: 1, process: 1 };

/** Whether a check is of a lane whose checks share one companion. */
const isShared = ({ lane }: CheckHead) => ["wire", "editor", "proposals"].includes(lane);

/** How far a run is. */
export interface Progress {
  readonly done: number;
  readonly of: number;
  /** Titles of the checks that run now. */
  readonly running: readonly string[];
}

/** How the checks of one contract run. */
export interface Runner<Check extends CheckHead, Subject> {
  readonly rules: RuleBook;
  /** The companion that all of them share. */
  readonly subject: Subject & {
    /** Starts another one; absent when none can be started. @throws Error when this one cannot be */
    readonly isolate?: () => Promise<Isolated<Subject>>;
    readonly companion?: Pick<Started<unknown>, "hasEnded">;
  };
  run(check: Check, subject: Subject): Promise<Outcome>;
  /** The check that shows whether a CLI can connect. */
  readonly handshake: Check;
  /** The check that shows whether the companion serves several CLIs. */
  readonly severalClis: Check;
}

/**
 * Runs checks, each in its lane, and the lanes concurrently; with a companion that cannot be started again, one check
 * after the other. Then every check that failed runs again, with no other at its side.
 * @returns the results in the order of the checks
 */
export async function runLanes<Check extends CheckHead, Subject>(
  checks: readonly Check[],
  runner: Runner<Check, Subject>,
  onProgress: (progress: Progress) => void = () => {},
): Promise<Result[]> {
  const run = new Run(checks, runner, onProgress);
  const others = Promise.all([run.lane("parallel"), run.lane("process")]);
  const { isolate } = runner.subject;
  // What makes it hang is known only when nothing else runs.
  if (isolate === undefined && checks.length > 1) await run.oneByOne();
  else await Promise.all([run.lane("wire"), run.diffs()]);
  await others;
  if (isolate && checks.length > 1) await run.again(isolate);
  return run.results();
}

/** The checks of one run, and what has come of them so far. */
class Run<Check extends CheckHead, Subject> {
  readonly #outcomes = new Map<Check, Outcome>();
  readonly #checks: readonly Check[];
  readonly #runner: Runner<Check, Subject>;
  readonly #onProgress: (progress: Progress) => void;
  readonly #running = new Set<Check>();
  /** Why no more checks can use the shared companion. */
  #whyOver: string | undefined;

  constructor(
    checks: readonly Check[],
    runner: Runner<Check, Subject>,
    onProgress: (progress: Progress) => void,
  ) {
    this.#checks = checks;
    this.#runner = runner;
    this.#onProgress = onProgress;
  }

  async lane(lane: Lane): Promise<void> {
    const waiting = this.#checks.filter((check) => check.lane === lane)[Symbol.iterator]();
    const worker = async () => {
      for (const check of waiting) await this.#run(check, this.#shared(check));
    };
    await Promise.all(Array.from({ length: width[lane] }, worker));
  }

  /** Diffs that open at any time would disturb the user. */
  async diffs(): Promise<void> {
    await this.lane("editor");
    await this.lane("proposals");
  }

  /** All that share the companion; what may hang comes last. */
  async oneByOne(): Promise<void> {
    const lateness = ({ mayHang }: Check) => (mayHang ? 1 : 0);
    const all = this.#checks.filter(isShared).toSorted((one, other) => lateness(one) - lateness(other));
    for (const check of all) await this.#run(check, this.#shared(check));
  }

  /** What has failed, and what has not run because the companion hung, each with another companion. */
  async again(isolate: () => Promise<Isolated<Subject>>): Promise<void> {
    for (const check of this.#checks.filter(isShared)) {
      // Another companion may well end, too.
      if (this.#runner.subject.companion?.hasEnded()) return;
      const former = this.#outcomes.get(check)?.result;
      const isOver = former?.message !== undefined && former.message === this.#whyOver;
      if (former?.status === "failed" || isOver) await this.#run(check, this.#alone(check, isolate));
    }
  }

  /** In the order of the checks. */
  results(): Result[] {
    return this.#checks.flatMap((check) => {
      const outcome = this.#outcomes.get(check);
      return outcome ? [this.#explain(check, outcome)] : [];
    });
  }

  async #run(check: Check, running: Promise<Outcome>): Promise<void> {
    this.#running.add(check);
    this.#report();
    this.#outcomes.set(check, await running);
    this.#running.delete(check);
    this.#report();
  }

  #report(): void {
    const running = [...this.#running].map(({ title }) => title);
    this.#onProgress({ done: this.#outcomes.size, of: this.#checks.length, running });
  }

  /** Runs a check with the companion of all. */
  async #shared(check: Check): Promise<Outcome> {
    const { subject, run } = this.#runner;
    if (subject.companion?.hasEnded()) this.#whyOver ??= "the companion had ended";
    if (this.#whyOver !== undefined) return this.#withoutRun(check, "not-run", this.#whyOver);
    const outcome = await run(check, subject);
    const isSuspect = outcome.isUnanswered || outcome.result.status === "failed";
    if (isSuspect && this.#whyOver === undefined && (await this.#hangs()))
      this.#whyOver ??= `the companion answers nothing any more since ${check.id}`;
    return outcome;
  }

  /** Whether not even a new CLI gets an answer. */
  async #hangs(): Promise<boolean> {
    const { subject, run, handshake } = this.#runner;
    const { isUnanswered, result } = await run(handshake, subject);
    return isUnanswered && result.status === "failed";
  }

  /** Runs a check with a separate companion. */
  async #alone(check: Check, isolate: () => Promise<Isolated<Subject>>): Promise<Outcome> {
    const former = this.#outcomes.get(check)?.result;
    try {
      const alone = await isolate();
      try {
        const { result, ...facts } = await this.#runner.run(check, alone.subject);
        const notes =
          former?.status === "failed"
            ? [`This is the second run, alone. Together with other checks it failed: ${former.message}`]
            : [];
        return { ...facts, result: { ...result, evidence: [...notes, ...result.evidence] } };
      } finally {
        await alone.close();
      }
    } catch (error) {
      const message = `no companion could be started for it: ${error instanceof Error ? error.message : error}`;
      return this.#withoutRun(check, "failed", message);
    }
  }

  #withoutRun(check: Check, status: Result["status"], message: string): Outcome {
    const head = headOf(check, this.#runner.rules);
    const result = { ...head, status, message, evidence: [], milliseconds: 0 };
    return { result, isUnanswered: false, isUnconnected: false, clis: 0 };
  }

  /** What fails for the reason for which another check fails is not run: one fault, one failure. */
  #explain(check: Check, { result, isUnanswered, isUnconnected, clis }: Outcome): Result {
    if (result.status !== "failed") return result;
    const { handshake, severalClis } = this.#runner;
    const instead = (message: string): Result => ({ ...result, status: "not-run", message });
    const [greeting, several] = [this.#outcomes.get(handshake), this.#outcomes.get(severalClis)];
    if (check !== handshake && isUnconnected && greeting?.result.status === "failed")
      return instead(`no CLI can connect: see ${handshake.id}`);
    const isForSeveral = several?.result.status === "failed" && several.isUnanswered;
    if (check !== severalClis && isForSeveral && isUnanswered && clis > 1)
      return instead(
        `it needs several CLIs at once, which this companion leaves unanswered: see ${severalClis.id}`,
      );
    return result;
  }
}
