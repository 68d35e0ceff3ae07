import { setTimeout as delay } from "node:timers/promises";
import type { Json } from "../wire/json-rpc.ts";
import { demand } from "./check.ts";
import { type Fault, nameOf } from "./fault.ts";
import { before, type Connecting, type Questions } from "./question.ts";

/** How a CLI asks for diagnostics. */
interface Asking<Cli> extends Pick<Questions<Cli>, "proposeAndShow"> {
  /** The name of the tool. */
  readonly tool: string;
  ask(cli: Cli, input: Json): Promise<unknown>;
  toUri(path: string): string;
}

/** What proves that diagnostics come before the CLI stops waiting. */
export const inTime = <Cli>({ tool, ask, toUri, proposeAndShow }: Asking<Cli>) => ({
  check: "diagnostics-time",
  lane: "proposals" as const,
  async run(means: Connecting<Cli>) {
    const cli = await means.connect();
    const path = await means.write("time.txt", before);
    await proposeAndShow(means, cli, path);
    const slow = Math.max(1, means.limits.answer / 5000); // the patience that was asked for
    for (const [input, milliseconds] of [
      [{ uri: toUri(path) }, 500],
      [{}, 2000],
    ] as const) {
      const limit = milliseconds * slow;
      const started = performance.now();
      await ask(cli, input);
      const took = Math.round(performance.now() - started);
      demand(took <= limit, `for ${JSON.stringify(input)} the answer took ${took} ms, more than ${limit}`);
    }
  },
  fault: {
    down: (message, _, asked) => delay(nameOf(asked) === tool ? 1500 : 0, message),
    says: /the answer took \d+ ms, more than 500/,
  } satisfies Fault,
});
