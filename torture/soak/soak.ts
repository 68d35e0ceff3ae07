import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type LspDriver, startLspDriver } from "../harness/lsp-driver.ts";
import { createRandom, type Random } from "../harness/random.ts";
import { createSandbox, type Sandbox } from "../harness/sandbox.ts";
import type { Part, PartOptions } from "../part.ts";
import { createAgents, emptyTally } from "./agent.ts";
import { describeSamples, type Holding, type Slack, whatHasGrown } from "./flat.ts";
import { createPace, type Pace } from "./pace.ts";

/** The length of the simulated day. */
const dayMinutes = 8 * 60;
/** All agents pause for a sample, which takes some time; in milliseconds. */
const sampleInterval = 30_000;
const leastSamples = 4;
/** How often the user's cursor moves, in milliseconds of the day. */
const moveInterval = 2000;

export interface SoakOptions {
  readonly sessions: number;
  readonly slack: Slack;
}

export const soak: Part = {
  name: "soak",
  sentence: "100 sessions do a day's work in the given minutes; the companion must not grow.",
  run: (options) =>
    runSoak(options, { sessions: 100, slack: { heap: 4 * 2 ** 20, resident: 40 * 2 ** 20, count: 3 } }),
};

/** Sessions use the companion of an editor for a day; it is a separate process, whose memory is sampled. */
export async function runSoak(
  { minutes, seed, report }: PartOptions,
  { sessions, slack }: SoakOptions,
): Promise<void> {
  const sandbox = createSandbox();
  const probe = pathToFileURL(join(import.meta.dirname, "../harness/probe-process.mjs")).href;
  const driver = await startLspDriver(sandbox, ["--import", probe]);
  const pace = createPace(dayMinutes / minutes);
  const tally = emptyTally();
  const random = createRandom(seed);
  const samples: Holding[] = [];
  const sampleCount = Math.max(leastSamples, Math.floor((minutes * 60_000) / sampleInterval));
  let isOver = false;
  try {
    const agents = createAgents(sessions, { sandbox, driver, pace, tally, random });
    const lives = agents.map((agent) => agent.live(() => isOver));
    const moving = moveCursor(driver, sandbox, pace, random, () => isOver);
    const failed = Promise.race([Promise.all(lives), moving]).then(() => {});
    failed.catch(() => {}); // reported below
    const end = performance.now() + minutes * 60_000;
    for (let sample = 0; sample < sampleCount; sample++) {
      await Promise.race([failed, delay((end - performance.now()) / (sampleCount - sample))]);
      await Promise.race([failed, pace.hold()]);
      driver.news.length = 0;
      samples.push(await ask(driver));
      pace.release();
      report.progress(`${tally.proposals} proposals, ${describeSamples(samples)}`);
    }
    isOver = true;
    await Promise.all([...lives, moving]);
    for (const grown of whatHasGrown(samples, slack)) report.broken(`${grown}: ${JSON.stringify(samples)}`);
  } finally {
    isOver = true;
    await driver.close();
    sandbox.remove();
  }
  report.figure("sessions at once", sessions);
  for (const [name, value] of Object.entries(tally)) report.figure(name, value);
  report.figure(`samples: ${describeSamples(samples)}`, samples.length);
}

/** The user moves the cursor through a file. */
async function moveCursor(
  driver: LspDriver,
  sandbox: Sandbox,
  pace: Pace,
  random: Random,
  isOver: () => boolean,
): Promise<void> {
  const path = join(sandbox.workspace, "open.txt");
  writeFileSync(path, "text\n");
  pace.enter();
  while (!isOver()) {
    const cursor = { line: random.between(1, 5000), character: random.between(1, 80) };
    const selectedText = "selected ".repeat(random.between(0, 300));
    driver.focus({ files: [{ path, focusedAt: Date.now(), cursor, selectedText }], activePath: path });
    await pace.rest(moveInterval);
  }
  pace.leave();
}

async function ask({ frontend }: LspDriver): Promise<Holding> {
  frontend.send("measure");
  const [holding] = await once(frontend, "message");
  return holding;
}
