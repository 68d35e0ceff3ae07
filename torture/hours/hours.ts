import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readDiscovered } from "../harness/discovered.ts";
import type { Driver } from "../harness/driver.ts";
import { describeSamples, type Holding, measure, type Slack, whatHasGrown } from "../harness/measure.ts";
import { startMemoryDriver } from "../harness/memory-driver.ts";
import { createRandom, type Random } from "../harness/random.ts";
import { createSandbox, type Sandbox } from "../harness/sandbox.ts";
import { now, untilNothing } from "../harness/until.ts";
import type { Part, PartOptions } from "../part.ts";
import { type Agent, createAgents, emptyTally, Pace } from "./agent.ts";

/** One step of time, in milliseconds: no timer of the companion needs to be more exact. */
const step = 1000;
/** Between two comments that keep a stream open, in steps; a CLI drops a stream after 300. */
const keepAlive = 15;
/** How often the companion checks its discovery files, in steps. */
const upkeep = 10;
const samplesAnHour = 4;
/** How long the effects of a step may take, in milliseconds of the real clock. */
const patience = 20_000;

export interface Hours {
  readonly hours: number;
  /** How many agents there are at once. */
  readonly sessions: number;
  readonly slack: Slack;
}

export const hours: Part = {
  name: "hours",
  sentence:
    "Simulates the day of a hundred sessions: keep-alives, sessions that end, files that are deleted.",
  run: (options) =>
    runHours(options, {
      hours: 8,
      sessions: 100,
      slack: { heap: 4 * 2 ** 20, resident: 100 * 2 ** 20, count: 3 },
    }),
};

/** Agents use a companion in this process, on a simulated clock. */
export async function runHours(
  { minutes, seed, report }: PartOptions,
  { hours, sessions, slack }: Hours,
): Promise<void> {
  const deadline = now() + minutes * 60_000;
  const sandbox = createSandbox();
  const clock = setFakeClock();
  try {
    const day = await Day.begin(sandbox, clock, { seed, sessions });
    const steps = hours * 3600;
    let done = 0;
    for (; done < steps && now() < deadline; done++) {
      await day.pass(done + 1);
      report.progress(
        `${((done + 1) / 3600).toFixed(1)} of ${hours} hours, ${day.tally.proposals} proposals`,
      );
    }
    await day.end();
    for (const grown of whatHasGrown(day.samples, slack)) report.broken(grown, JSON.stringify(day.samples));
    report.figure("hours", (done / 3600).toFixed(1));
    report.figure("keep-alives", day.keepAlives);
    for (const [name, value] of Object.entries(day.tally)) report.figure(name, value);
    report.figure(`samples: ${describeSamples(day.samples)}`, day.samples.length);
  } finally {
    clock.remove();
    sandbox.remove();
  }
}

interface DayOptions {
  readonly sandbox: Sandbox;
  readonly clock: FakeClock;
  readonly driver: Driver;
  readonly random: Random;
  readonly sessions: number;
}

class Day {
  readonly tally = emptyTally();
  readonly samples: Holding[] = [];
  keepAlives = 0;
  readonly #options: DayOptions;
  readonly #pace = new Pace();
  readonly #agents: readonly Agent[];
  readonly #open: string;
  readonly #failures: Error[] = [];
  #lives: Promise<unknown> = Promise.resolve();
  #isOver = false;
  /** The step at which the files were cleared away. */
  #cleared: number | undefined;

  static async begin(
    sandbox: Sandbox,
    clock: FakeClock,
    { seed, sessions }: { seed: number; sessions: number },
  ): Promise<Day> {
    const day = new Day({
      sandbox,
      clock,
      driver: await startMemoryDriver(sandbox),
      random: createRandom(seed),
      sessions,
    });
    await day.#start();
    return day;
  }

  private constructor(options: DayOptions) {
    const { sandbox, driver, random, sessions } = options;
    this.#options = options;
    this.#open = join(sandbox.workspace, "open.txt");
    writeFileSync(this.#open, "text\n");
    const [pace, tally] = [this.#pace, this.tally];
    this.#agents = createAgents(sessions, { sandbox, driver, pace, tally, random });
  }

  async #start(): Promise<void> {
    const fail = (error: Error) => void this.#failures.push(error);
    this.#lives = Promise.all(this.#agents.map((agent) => agent.live(() => this.#isOver).catch(fail)));
    await this.#settled();
  }

  /** Advances the clock by one step and waits for its effects. */
  async pass(number: number): Promise<void> {
    const { clock, driver, random } = this.#options;
    const counts = new Map(this.#agents.map(({ session }) => [session, session?.keepAlives ?? 0]));
    const isKeptAlive = number % keepAlive === 0;
    const streaming = this.#agents.filter(({ session }) => session?.isStreaming);
    await clock.pass(step);
    if (isKeptAlive) {
      for (const { session } of streaming) {
        await this.#hold(
          `${session?.label} was not kept alive at ${number} s`,
          () => session?.isStreaming !== true || (session.keepAlives ?? 0) > (counts.get(session) ?? 0),
        );
        this.keepAlives += 1;
      }
    }
    await this.#settled();
    if (random.happens(30)) {
      const cursor = { line: number, character: 1 };
      driver.focus({ files: [{ path: this.#open, focusedAt: Date.now(), cursor }], activePath: this.#open });
    }
    await this.#clearAway(number);
    if (number % (3600 / samplesAnHour) === 0) await this.#sample();
  }

  async end(): Promise<void> {
    const { clock, driver } = this.#options;
    this.#isOver = true;
    let isDone = false;
    void this.#lives.then(() => {
      isDone = true;
    });
    while (!isDone) {
      await clock.pass(step);
      await this.#settled();
    }
    await driver.close();
  }

  /** Resolves when every agent waits for the clock again. */
  async #settled(): Promise<void> {
    await this.#hold("an agent waits for an event that does not come", () => this.#pace.awake === 0);
    const [failure] = this.#failures;
    if (failure) throw failure;
  }

  /** Deletes the discovery files, as systems do with temporary files; the companion must restore them in seconds. */
  async #clearAway(number: number): Promise<void> {
    const { sandbox, driver, random } = this.#options;
    const count = () => readDiscovered(sandbox.host).filter(({ port }) => port === driver.port).length;
    if (this.#cleared === undefined && random.between(1, 2000) === 1) {
      for (const { path } of readDiscovered(sandbox.host)) rmSync(path);
      this.#cleared = number;
    }
    if (this.#cleared !== undefined && number - this.#cleared > upkeep) {
      if (count() < 4)
        throw new Error(`only ${count()} discovery files are back ${upkeep} s after they were cleared`);
      this.#cleared = undefined;
    }
  }

  async #sample(): Promise<void> {
    this.#options.driver.news.length = 0;
    this.samples.push(await measure());
  }

  async #hold(what: string, isSo: () => boolean): Promise<void> {
    for (let turn = 0; turn < 50 && !isSo(); turn++) await nextTurn();
    if (isSo()) return;
    const left = await untilNothing(() => (isSo() ? [] : [what]), patience);
    if (left.length > 0) throw new Error(what);
  }
}

/** A clock that the test advances. */
interface FakeClock {
  /** Milliseconds since it was set. */
  readonly now: number;
  /** Advances the clock; due timers have run, up to what waits for sockets. */
  pass(milliseconds: number): Promise<void>;
  /** Restores the real clock. */
  remove(): void;
}

/** Replaces `setTimeout`, `setInterval`, `Date` and `performance.now`; timers inside Node still use the real one. */
function setFakeClock(): FakeClock {
  const start = Date.now();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: start });
  // Not by the mock, which records every call.
  const { now } = performance;
  performance.now = () => Date.now() - start;
  return {
    get now() {
      return Date.now() - start;
    },
    async pass(milliseconds) {
      mock.timers.tick(milliseconds);
      await nextTurn();
    },
    remove() {
      performance.now = now;
      mock.timers.reset();
    },
  };
}
