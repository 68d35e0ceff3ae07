import fc from "fast-check";
import type { Written } from "../../packages/companion/src/core/written/written.ts";
import type { PartOptions } from "../torture.ts";
import { Project } from "./project.ts";

const agent = fc.constantFrom("one" as const, "two" as const);
const file = fc.constantFrom("0.txt", "1.txt", "2.txt");
const step = fc.oneof(
  fc.record({ kind: fc.constant("begin" as const), agent }),
  fc.record({
    kind: fc.constant("edit" as const),
    agent,
    file,
    isRemoval: fc.boolean(),
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("command" as const),
      agent,
      files: fc.uniqueArray(file, { maxLength: 2 }),
      isRemoval: fc.boolean(),
      own: fc.integer({ min: 0, max: 3 }),
      /** When the user saves one of these files in an editor. */
      saving: fc.constantFrom("never", "before", "while", "after"),
      /** What happens between its end and the snapshot. */
      ending: fc.constantFrom("snapshot", "snapshot", "snapshot", "save", "kill", "cut"),
      killAfter: fc.nat({ max: 150 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("save" as const), file, isRemoval: fc.boolean() }) },
  fc.record({ kind: fc.constant("own" as const), how: fc.nat({ max: 2 }) }),
  fc.record({
    kind: fc.constant("git" as const),
    what: fc.constantFrom("commit", "checkout", "stash"),
    file,
  }),
  fc.record({ kind: fc.constant("keep" as const), isAll: fc.boolean() }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("revert" as const),
      what: fc.constantFrom("all", "turn", "hunk"),
    }),
  },
  fc.record({ kind: fc.constant("undo" as const) }),
  fc.record({ kind: fc.constant("cut" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** In its time alone is to be seen when a file went. */
const folder = "";

/** Performs random sequences until there are enough of them, or the time is over. */
export async function runWritten({ minutes, seed, report }: PartOptions, count: number): Promise<void> {
  const deadline = performance.now() + minutes * 60_000;
  let [performed, steps, seen] = [0, 0, 0];
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (sequence) => {
    const run = new Run();
    try {
      for (const each of sequence) await run.perform(each);
    } finally {
      run.project.remove();
      seen += run.seen;
    }
    performed += 1;
    steps += sequence.length;
    report.progress(`${performed} of ${count} sequences, ${steps} steps`);
  });
  const result = await fc.check(property, {
    seed: seed | 0,
    numRuns: count,
    interruptAfterTimeLimit: Math.max(0, deadline - performance.now()),
  });
  if (result.failed && result.counterexample)
    report.broken(String(result.errorInstance), JSON.stringify(result.counterexample[0]));
  report.figure("sequences", performed);
  report.figure("steps", steps);
  report.figure("lines of commands found in the record", seen);
}

/** One sequence. */
class Run {
  readonly project = new Project();
  /** Lines of commands that were found in the record. */
  seen = 0;
  /** The user's lines as the user has left them. */
  #lines = this.project.linesOf("user");
  /** Files that the user has written since the last snapshot: whose lines these are, a command's snapshot cannot tell. */
  readonly #dirty = new Set<string>();
  readonly #begun = new Set<string>();

  async perform(next: Step): Promise<void> {
    const fresh = await this.#act(next);
    const record = await this.project.written();
    this.#judge(record, next, fresh);
  }

  /** @returns a line that an agent's command has added, and that must be in the record */
  async #act(next: Step): Promise<string | undefined> {
    const { project } = this;
    switch (next.kind) {
      case "begin":
        await this.#begin(next.agent);
        return undefined;
      case "edit":
        await project.edits(next.agent, next.file, () =>
          project.change(next.agent, next.file, next.isRemoval),
        );
        return undefined;
      case "command":
        return this.#command(next);
      case "save":
        await project.saves(next.file, next.isRemoval);
        return this.#own(() => {});
      case "own":
        return this.#own(() => project.moveOwn("user", next.how), ...(next.how > 0 ? [folder] : []));
      case "git":
        return this.#own(() => this.#git(next), ...project.names);
      case "cut":
        project.cutLog();
        return undefined;
      default:
        await this.#decide(next);
        return undefined;
    }
  }

  async #begin(who: "one" | "two"): Promise<void> {
    await this.project.begins(who);
    this.#begun.add(who);
    this.#dirty.clear();
  }

  async #command(next: Step & { readonly kind: "command" }): Promise<string | undefined> {
    const { project } = this;
    if (!this.#begun.has(next.agent) || [...next.files, folder].some((name) => this.#dirty.has(name)))
      await this.#begin(next.agent);
    const [name = "0.txt"] = next.files;
    const save = async (when: typeof next.saving) => {
      if (next.saving === when) await project.saves(name, next.isRemoval);
      this.#own(() => {});
    };
    await save("before");
    project.starts(next.agent);
    await save("while");
    const lines = next.files.map((each) => project.change(next.agent, each, next.isRemoval));
    // Then the last text is the user's: nobody knows which of its lines the command has written.
    if (next.saving === "after") lines.shift();
    await save("after");
    if (next.own < 3) lines.push(project.moveOwn(next.agent, next.own));
    if (next.ending === "cut") return undefined;
    project.ends(next.agent);
    if (next.ending === "save") this.#own(() => project.change("user", name, false), name);
    if (next.ending === "kill") await project.killedSnapshot(next.killAfter);
    else await project.snapshot();
    // Those that were killed have lost it, or the next one finds it: nothing must be there.
    if (next.ending !== "snapshot") this.#begun.clear();
    else this.#dirty.clear();
    return next.ending === "snapshot" ? lines.find((line) => line !== undefined) : undefined;
  }

  #git({ what, file: name }: Step & { readonly kind: "git" }): void {
    const { project } = this;
    if (what === "commit") project.commit();
    if (what === "checkout") project.git("checkout", "-q", "HEAD", "--", name);
    if (what !== "stash") return;
    project.change("user", name, false);
    project.git("stash");
    project.git("stash", "pop");
  }

  #own(act: () => void, ...names: readonly string[]): undefined {
    act();
    for (const name of names) this.#dirty.add(name);
    this.#lines = this.project.linesOf("user");
  }

  async #decide(next: Step): Promise<void> {
    const record = await this.project.written();
    const [newest] = record.list();
    if (next.kind === "keep") record.keep(next.isAll || !newest ? {} : { turn: newest.id });
    if (next.kind === "undo") {
      const [last] = record.decisions();
      if (last) await record.undo(last.id);
    }
    if (next.kind !== "revert" || newest === undefined) return;
    const [change] = newest.changes;
    const one = change && change.hunks.length > 0 ? { turn: newest.id, paths: [change.path], hunk: 0 } : {};
    const plan = record.planRevert(
      next.what === "all" ? {} : next.what === "turn" ? { turn: newest.id } : one,
    );
    if (plan.kind === "possible") await record.revert(plan.plans);
  }

  #judge(record: Written, next: Step, fresh: string | undefined): void {
    const now = JSON.stringify(this.project.linesOf("user"));
    const before = JSON.stringify(this.#lines);
    if (now !== before) throw new Error(`the user's lines were ${before} and are ${now} after ${next.kind}`);
    const added: string[] = [];
    for (const change of record.list().flatMap(({ changes }) => changes)) {
      if (change.before === undefined || change.after === undefined) continue;
      const [from, to] = [change.before, change.after].map((text) => text?.split("\n") ?? []);
      const news = to?.filter((line) => !from?.includes(line)) ?? [];
      const lost = from?.filter((line) => !to?.includes(line)) ?? [];
      const own = [...news, ...lost].find((line) => line.startsWith("user "));
      if (own) throw new Error(`"${own}" counts as an agent's in ${change.path}`);
      added.push(...news);
    }
    if (fresh === undefined) return;
    if (!added.includes(fresh)) throw new Error(`"${fresh}" of a command is not in the record`);
    this.seen += 1;
  }
}
