import { join } from "node:path";
import type { WireEvent, WireStream } from "../../packages/companion/src/testing/wire-client.ts";
import { type Defects, type FarClient, startBadWire } from "./bad-wire.ts";
import { demand, startCompanion, until } from "./companion-process.ts";
import type { Fault } from "./fault.ts";
import { openPage } from "./page.ts";

/** Every kind of character that a cut could split. */
const proposed = "plain\r\näöü\n日本語\t😀\u2028\u0000 end without newline";

/** Connections that split, delay, repeat and cut. */
export const wireFaults: readonly Fault[] = [
  wireFault("that sends every byte alone", { splits: true }),
  wireFault("that holds up every piece", { delay: 30 }),
  wireFault("that sends every request twice", { repeats: true }),
  {
    sentence: "a decision arrives once and complete, wherever the connection breaks",
    async run(fixture) {
      const companion = await startCompanion(fixture);
      const page = await openPage(fixture, companion.link);
      const filePath = join(fixture.sandbox.workspace, "cut.txt");
      const whole = 350 + 2 * JSON.stringify(proposed).length;
      // In the header, in the first context, between two events, in the decision, or after all of it.
      for (let turn = 0; turn < 12; turn++) {
        const cutAfter = Math.floor(fixture.random() * (whole + 400));
        const cli = await startBadWire(fixture, companion, { cutAfter });
        await cli.initialize();
        const events: WireEvent[] = [];
        let stream = await openAgain(cli, events);
        await cli.call("openDiff", { filePath, newContent: proposed });
        page.say({
          type: "accept",
          id: await page.proposal(filePath),
          revision: 0,
          text: `${proposed}, decided`,
        });
        // Once more after the decision has come: it must not come again.
        for (let hasIt = false; !hasIt; stream = await openAgain(cli, events)) {
          const news = stream;
          hasIt = await until(
            "decision",
            () => news.events.some(isOutcome) || (news.isClosed ? false : undefined),
          );
          events.push(...news.events);
        }
        await stream.method("ide/contextUpdate");
        await cli.call("ping", {});
        events.push(...stream.events);
        const outcomes = events.filter(isOutcome);
        demand(outcomes.length === 1, `once, not ${outcomes.length} times, when cut after ${cutAfter} bytes`);
        demand(
          outcomes[0]?.params.content === `${proposed}, decided`,
          `whole, when cut after ${cutAfter} bytes`,
        );
        await stream.close();
      }
    },
  },
];

const isOutcome = ({ method }: WireEvent) => method.startsWith("ide/diff");

function wireFault(description: string, defects: Defects): Fault {
  return {
    sentence: `a connection ${description} changes nothing but the time it takes`,
    async run(fixture) {
      const companion = await startCompanion(fixture);
      const page = await openPage(fixture, companion.link);
      const cli = await startBadWire(fixture, companion, defects);
      await cli.initialize();
      const stream = await cli.openStream();
      const filePath = join(fixture.sandbox.workspace, "far.txt");
      for (const decision of ["accept", "reject"] as const) {
        demand(
          (await cli.call("openDiff", { filePath, newContent: proposed })).result,
          "openDiff is answered",
        );
        const wanted = decision === "accept" ? "ide/diffAccepted" : "ide/diffRejected";
        await until(wanted, () => {
          // Its id may change at any moment: a call that comes twice replaces itself.
          const id = page.find(filePath);
          if (id !== undefined) page.say({ type: decision, id, revision: 0, text: `${proposed}, decided` });
          return stream.events.find(({ method }) => method === wanted);
        });
      }
      const outcomes = stream.events.filter(isOutcome);
      demand(outcomes.length === 2, `each decision arrives once: ${JSON.stringify(outcomes)}`);
      demand(outcomes[0]?.params.content === `${proposed}, decided`, "byte for byte");
    },
  };
}

/** Opens a stream as a CLI does: it names the last complete event. */
async function openAgain(cli: FarClient, events: readonly WireEvent[]): Promise<WireStream> {
  const lastId = events.findLast(({ id }) => id !== undefined)?.id;
  for (;;) {
    const stream = await cli
      .openStream(lastId === undefined ? {} : { "last-event-id": lastId })
      .catch(() => undefined);
    if (stream) return stream;
  }
}
