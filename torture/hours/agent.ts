import type { Host } from "../../packages/companion/src/system/host.ts";
import type { Cli, CliOutcome, CliSession, Reply } from "../harness/cli.ts";
import { readDiscovered } from "../harness/discovered.ts";
import type { Driver, ShownDiff } from "../harness/driver.ts";
import { createRandom, type Random } from "../harness/random.ts";
import type { Sandbox } from "../harness/sandbox.ts";
import { untilNothing } from "../harness/until.ts";
import { createWireCli } from "../harness/wire-cli.ts";

/** How long an effect may take on a busy machine, in milliseconds of the real clock. */
const patience = 20_000;

/** A session whose stream is down for ten seconds is over; the companion checks every second. */
const expiry = 12_000;

/** How soon a deleted discovery file must be restored, in seconds. */
const restored = 12;

/** What all agents together have done. */
interface Tally {
  proposals: number;
  outcomes: number;
  breaks: number;
  expiries: number;
  arrivals: number;
}

/** How agents wait: by the global timers, which a test may replace. */
export class Pace {
  /** How many agents are not waiting. */
  awake = 0;

  async wait(milliseconds: number): Promise<void> {
    this.awake -= 1;
    await new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
    this.awake += 1;
  }
}

export const emptyTally = (): Tally => ({ proposals: 0, outcomes: 0, breaks: 0, expiries: 0, arrivals: 0 });

export interface AgentOptions {
  readonly cli: Cli;
  readonly driver: Driver;
  /** Where it searches companions. */
  readonly host: Host;
  /** Where it proposes. */
  readonly folder: string;
  readonly random: Random;
  readonly pace: Pace;
  readonly tally: Tally;
}

/** A CLI and its user, through a day. */
export class Agent {
  readonly #options: AgentOptions;
  #session: CliSession | undefined;
  #received = 0;
  #count = 0;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  get session(): CliSession | undefined {
    return this.#session;
  }

  /**
   * Does one thing after the other until the day is over.
   * @throws Error when a promise was broken
   */
  async live(isOver: () => boolean): Promise<void> {
    const { pace, random } = this.#options;
    pace.awake += 1;
    try {
      await this.#arrive();
      while (!isOver()) {
        const chance = random.between(1, 100);
        if (chance <= 72) await this.#propose();
        else if (chance <= 86) await this.#breakStream();
        else if (chance <= 91) await this.#expire();
        else await this.#reconnect();
        await pace.wait(random.between(20_000, 900_000));
      }
      await this.#session?.leave();
    } finally {
      pace.awake -= 1;
    }
  }

  get #present(): CliSession {
    if (!this.#session) throw new Error("not connected");
    return this.#session;
  }

  async #arrive(): Promise<void> {
    const { cli, driver, tally } = this.#options;
    await this.#announced();
    this.#session = await cli.connect(driver.port);
    this.#received = 0;
    tally.arrivals += 1;
  }

  /** Connects; tries again if its discovery file is just missing. */
  async #announced(): Promise<void> {
    const { cli, driver, host, pace } = this.#options;
    const isThere = () =>
      readDiscovered(host).some(({ agent, port }) => agent === cli.name && port === driver.port);
    for (let second = 0; second < restored && !isThere(); second++) await pace.wait(1000);
  }

  async #propose(): Promise<void> {
    const { random, pace, driver, tally } = this.#options;
    const diff = await this.#open();
    await pace.wait(random.between(0, 2000));
    if (random.happens(50)) driver.edit(diff.id, `${diff.proposed}typed by the user ${this.#count}\r\n`);
    const how = random.pick(["accept", "accept", "reject", "close", "closeQuietly", "whileAway"]);
    const { text } = diff;
    const { filePath } = diff;
    if (how === "close" || how === "closeQuietly") {
      const reply = expectOk(await this.#present.close(filePath, how === "closeQuietly"));
      if (reply.text !== text)
        throw new Error(`closeDiff of ${filePath} gave ${reply.text}, shown was ${text}`);
      if (how === "close") await this.#expectOutcome({ kind: "rejected", filePath });
    } else if (how === "whileAway") {
      await this.#present.drop?.();
      await this.#decide(diff, "accepted");
      await pace.wait(random.between(0, 4000));
      await this.#present.resume?.();
      await this.#expectOutcome({ kind: "accepted", filePath, content: text });
    } else {
      await this.#decide(diff, how === "accept" ? "accepted" : "rejected");
      await this.#expectOutcome(
        how === "accept" ? { kind: "accepted", filePath, content: text } : { kind: "rejected", filePath },
      );
    }
    if (driver.diffs.has(diff.id)) throw new Error(`the diff ${diff.id} has ended and is still shown`);
    tally.proposals += 1;
  }

  async #open(): Promise<ShownDiff> {
    const { driver, folder, random } = this.#options;
    const { label } = this.#present;
    this.#count += 1;
    const filePath = `${folder}/${label} ${this.#count % 5}.txt`;
    const proposed = `text ${this.#count} of ${label}\n${"line\n".repeat(random.between(0, 400))}`;
    expectOk(await this.#present.open(filePath, proposed));
    const [shown, ...others] = [...driver.diffs.values()].filter(
      (diff) => diff.agent === label && diff.proposed === proposed,
    );
    if (!shown || others.length > 0) {
      throw new Error(`of the proposal of ${label} ${others.length + (shown ? 1 : 0)} diffs are shown`);
    }
    return shown;
  }

  async #decide(diff: ShownDiff, kind: "accepted" | "rejected"): Promise<void> {
    const result = await this.#options.driver.decide(diff.id, kind);
    if (!result.taken) throw new Error(`the decision of ${diff.id} was refused: ${result.reason}`);
  }

  /** Expects exactly this outcome, once, since the last one. */
  async #expectOutcome(outcome: CliOutcome): Promise<void> {
    const { outcomes, label } = this.#present;
    const left = await untilNothing(
      () =>
        outcomes.length > this.#received
          ? []
          : [`${label} has not received the outcome of ${outcome.filePath}`],
      patience,
    );
    const news = outcomes.slice(this.#received);
    if (left.length > 0 || JSON.stringify(news) !== JSON.stringify([outcome])) {
      throw new Error(`${label} has received ${JSON.stringify(news)} instead of ${JSON.stringify(outcome)}`);
    }
    this.#received = outcomes.length;
    this.#options.tally.outcomes += 1;
  }

  async #breakStream(): Promise<void> {
    const { random, pace, tally } = this.#options;
    await this.#present.drop?.();
    await pace.wait(random.between(0, 5000));
    await this.#present.resume?.();
    tally.breaks += 1;
  }

  async #expire(): Promise<void> {
    const { pace, tally } = this.#options;
    const diff = await this.#open();
    await this.#present.drop?.();
    await pace.wait(expiry);
    await this.#vanished(diff);
    const reopened = this.#present.resume?.().then(
      () => "opened",
      (error: Error) => error.message,
    );
    if (!(await reopened)?.includes("404"))
      throw new Error(`a session that is over was ${await reopened} again`);
    tally.expiries += 1;
    await this.#arrive();
  }

  async #reconnect(): Promise<void> {
    const { random, pace } = this.#options;
    const last = this.#present;
    const diff = random.happens(50) ? await this.#open() : undefined;
    const isKilled = random.happens(50);
    await (isKilled ? last.kill() : last.leave());
    if (isKilled) await pace.wait(expiry);
    if (diff) await this.#vanished(diff);
    await this.#arrive();
  }

  async #vanished({ id }: ShownDiff): Promise<void> {
    const { diffs } = this.#options.driver;
    const left = await untilNothing(
      () => (diffs.has(id) ? [`the diff ${id} is open without its session`] : []),
      patience,
    );
    if (left.length > 0) throw new Error(left.join());
  }
}

/** Agents of both kinds in turn, each with a separate random generator. */
export function createAgents(count: number, { sandbox, driver, pace, tally, random }: Environment): Agent[] {
  return Array.from({ length: count }, (_, index) => {
    const { host, workspace: folder } = sandbox;
    const cli = createWireCli(index % 2 === 0 ? "gemini" : "qwen", host);
    const own = createRandom(random.between(0, 2 ** 31 - 1));
    return new Agent({ cli, driver, host, folder, random: own, pace, tally });
  });
}

function expectOk(reply: Reply): Extract<Reply, { ok: true }> {
  if (reply.ok) return reply;
  throw new Error(`a call was refused: ${reply.reason}`);
}

interface Environment {
  readonly sandbox: Sandbox;
  readonly driver: Driver;
  readonly pace: Pace;
  readonly tally: Tally;
  readonly random: Random;
}
