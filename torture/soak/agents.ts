import type { Driver } from "../harness/driver.ts";
import type { Place } from "../harness/place.ts";
import { createRandom, type Random } from "../harness/random.ts";
import { createWireCli } from "../harness/wire-cli.ts";
import { Agent, type Tally } from "./agent.ts";
import type { Pace } from "./pace.ts";

interface Environment {
  readonly place: Place;
  readonly driver: Driver;
  readonly pace: Pace;
  readonly tally: Tally;
  readonly random: Random;
}

/** Agents of both kinds in turn, each with chances of its own. */
export function createAgents(count: number, { place, driver, pace, tally, random }: Environment): Agent[] {
  return Array.from({ length: count }, (_, index) => {
    const { host, workspace: folder } = place;
    const cli = createWireCli(index % 2 === 0 ? "gemini" : "qwen", host);
    const own = createRandom(random.between(0, 2 ** 31 - 1));
    return new Agent({ cli, driver, host, folder, random: own, pace, tally });
  });
}
