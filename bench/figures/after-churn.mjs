import { interleave, median, pause, timed } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { publish, WireClient } from "../wire.mjs";

const kinds = ["floor", "sdk", "ours"];
const comers = 1000;
/** Half a minute each. */
const atMost = 3;
/** How many are connected at once. */
const wave = 100;
const probes = 60;
/** Without warm-up, a server that still gets faster would hide that it gets slower. */
const warmUps = 4;
const contextBytes = 18_000;

/**
 * One CLI stays connected while a thousand others connect and disconnect as real ones do: initialize, a stream,
 * sometimes an open diff, and then their sockets close. Measures the effect on the one that stays.
 * @param {import("./index.mjs").Bench} bench
 */
export async function afterChurn(bench) {
  // Each round has new servers, because memory does not shrink.
  const results = await interleave(kinds, Math.min(bench.rounds, atMost), (kind) =>
    withServers([kind], bench, ([server]) => growthOf(server)),
  );
  const row = (what, unit, name, limits) => ({
    title: `After ${comers} CLIs have come and gone: ${what}`,
    unit,
    samples: results.in({ floor: "floor", sdk: "sdk", ours: "ours" }, name),
    ...limits,
  });
  return [
    row("a context's latency, times that of before", "×", "context", { must: 1.5 }),
    row("a tool call's latency, times that of before", "×", "call", { must: 1.5 }),
    row("growth of resident memory", "MB", "resident", { aim: 20 }),
    row("growth of the heap", "MB", "heap"),
  ];
}

/** @returns the latencies of a server relative to those before, and its growth in MB */
async function growthOf(server) {
  const client = new WireClient(server);
  const stayer = { server, client, stream: await client.connect() };
  for (let round = 0; round < warmUps; round++) await probe(stayer);
  const [before, former] = [await probe(stayer), await server.ask("memory")];
  await comeAndGo(server);
  const [after, present] = [await probe(stayer), await server.ask("memory")];
  return {
    context: after.context / before.context,
    call: after.call / before.call,
    resident: (present.rss - former.rss) / 1e6,
    heap: (present.heapUsed - former.heapUsed) / 1e6,
  };
}

async function comeAndGo(server) {
  for (let come = 0; come < comers; come += wave) {
    await Promise.all(Array.from({ length: wave }, (_, index) => visit(server, come + index)));
  }
  await forgotten(server);
}

/** One CLI's whole life. */
async function visit(server, number) {
  const client = new WireClient(server);
  // A server may hold ended sessions for a while, and have no room until then.
  for (let tries = 0; !(await client.initialize()); tries++) {
    if (tries > 100) throw new Error(`${server.kind} had no room for another CLI for 20 s`);
    await pause(200);
  }
  const stream = await client.openStream();
  if (number % 10 === 0) {
    const newContent = "x".repeat(10_000);
    await client.call(client.diff(`/visit/${number}.ts`, newContent).open);
  }
  stream.close();
  client.close();
}

/** Waits until only the session that stays is held, 15 s at most. */
async function forgotten(server) {
  const deadline = Date.now() + 15_000;
  while ((await server.ask("sessions")) > 1 && Date.now() < deadline) await pause(250);
}

/** Medians in milliseconds. */
async function probe({ server, client, stream }) {
  const contexts = [];
  const calls = [];
  for (let index = 0; index < probes; index++) {
    await pause(5);
    contexts.push(await publish(server, contextBytes, stream));
    const { open, close } = client.diff("/probe/a.ts", "one line\n");
    calls.push(await timed(() => client.call(open)));
    await client.call(close);
  }
  return { context: median(contexts), call: median(calls) };
}
