import fc from "fast-check";
import { WireClient } from "../../packages/testkit/src/fake-cli/gemini-family.ts";
import type { PartOptions } from "../torture.ts";
import { exchange } from "./exchange.ts";
import { exchangeFolder, findWritesOutside } from "./exchanged-folder.ts";
import { attack, attacks } from "./http-fuzz.ts";
import { drip, sendLargeBodies } from "./limits.ts";
import { messages, say } from "./rpc-fuzz.ts";
import { shapes } from "./shapes.ts";
import { type Subject, startSubject } from "./subject.ts";

/** Everything that an attacker can send to a port. */
export async function runWire(options: PartOptions): Promise<void> {
  const subject = await startSubject();
  try {
    await tryAll(subject, options);
  } finally {
    await subject.stop();
  }
}

async function tryAll(subject: Subject, options: PartOptions): Promise<void> {
  const { minutes, report } = options;
  const end = performance.now() + minutes * 60_000;
  const isHalfOver = () => performance.now() > end - minutes * 30_000;
  const cli = await new WireClient(subject.port, subject.token).initialize();
  const stream = await cli.openStream();
  // Concurrently with the others, if there is time for it.
  const dripping = drip(subject, minutes);
  await tryShapes(subject, report);
  for (const broken of await exchangeFolder(subject)) report.broken(broken);
  const { broken, worst } = await sendLargeBodies(subject, cli, isHalfOver);
  for (const one of broken) report.broken(one);
  report.figure("ms at most blocked by the largest messages", worst);
  await fuzz(subject, cli.sessionId, options, Math.max(end - performance.now(), 500));
  for (const one of findWritesOutside(subject)) report.broken(one);
  for (const { what, count, open } of await dripping) {
    if (open > 0)
      report.broken(`${open} of ${count} connections that send a byte of their ${what} a second stay open`);
    report.figure(`connections dropped for a late ${what}`, count - open);
  }
  const { message } = await cli.request("ping", {});
  if (!message.result || stream.isClosed) report.broken("an idle CLI has lost its stream or its session");
}

type Report = PartOptions["report"];

async function tryShapes(subject: Subject, report: Report): Promise<void> {
  const attempts = shapes.map(async ([name, bytes, answers]) => {
    const { statuses, isOver } = await exchange(subject.port, [bytes(subject)], { silence: 15_000 });
    const isAsWanted = isOver && JSON.stringify(statuses) === JSON.stringify(answers);
    if (!isAsWanted) report.broken(`${name} is answered with [${statuses}] instead of [${answers}]`);
  });
  await Promise.all(attempts);
  report.figure("shapes", shapes.length);
}

async function fuzz(
  subject: Subject,
  sessionId: string,
  { seed, report }: PartOptions,
  milliseconds: number,
): Promise<void> {
  const counts = { "HTTP exchanges": 0, messages: 0 };
  const lane = async <Case>(
    what: keyof typeof counts,
    laneSeed: number,
    cases: fc.Arbitrary<Case>,
    attempt: (one: Case) => Promise<string | undefined>,
  ) => {
    const property = fc.asyncProperty(cases, async (one) => {
      const broken = await attempt(one);
      counts[what] += 1;
      report.progress(
        Object.entries(counts)
          .map(([noun, count]) => `${count} ${noun}`)
          .join(", "),
      );
      if (broken !== undefined) throw new Error(broken);
    });
    const result = await fc.check(property, {
      seed: laneSeed,
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: milliseconds,
    });
    if (result.failed && result.counterexample) {
      const [worst] = result.counterexample;
      report.broken(`${what}: ${result.errorInstance}`, fc.stringify(worst));
    }
  };
  const lanes = [0, 1, 2, 3, 4, 5].map((n) =>
    lane("HTTP exchanges", seed + n, attacks(subject), (one) => attack(subject, one)),
  );
  await Promise.all([
    ...lanes,
    lane("messages", seed, messages(subject), (text) => say(subject, sessionId, text)),
    lane("messages", seed + 1, messages(subject), (text) => say(subject, undefined, text)),
  ]);
  for (const [noun, count] of Object.entries(counts)) report.figure(noun, count);
}
