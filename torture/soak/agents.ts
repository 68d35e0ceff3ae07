import type { Driver } from "../harness/driver.ts";
import { createRandom, type Random } from "../harness/random.ts";
import type { Sandbox } from "../harness/sandbox.ts";
import { createWireCli } from "../harness/wire-cli.ts";
import { Agent, type Tally } from "./agent.ts";
import type { Pace } from "./pace.ts";

interface Environment {
  readonly sandbox: Sandbox;
  readonly driver: Driver;
  readonly pace: Pace;
  readonly tally: Tally;
  readonly random: Random;
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
