import { median, pause, timed } from "../rounds.mjs";
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
  const found = new Map(kinds.map((kind) => [kind, []]));
  // Each round has new servers, because memory does not shrink.
  for (let round = 0; round < Math.min(bench.rounds, atMost); round++) {
    for (const [kind, growth] of Object.entries(await growthOf(bench))) found.get(kind).push(growth);
  }
  const row = (what, unit, limits, pick) => ({
    title: `After ${comers} CLIs have come and gone: ${what}`,
    unit,
    samples: Object.fromEntries(kinds.map((kind) => [kind, found.get(kind).map(pick)])),
    ...limits,
  });
  const slower = { must: 1.5 };
  return [
    row("a context's latency, times that of before", "×", slower, ({ context }) => context),
    row("a tool call's latency, times that of before", "×", slower, ({ call }) => call),
    row("growth of resident memory", "MB", { aim: 20 }, ({ resident }) => resident),
    row("growth of the heap", "MB", {}, ({ heap }) => heap),
  ];
}

/** @returns for each kind of server, its latencies relative to those before, and its growth in MB */
function growthOf(bench) {
  return withServers(kinds, bench, async (servers) => {
    const stayers = [];
    for (const server of servers) stayers.push(await stay(server));
    for (const stayer of stayers) await probeBefore(stayer);
    await Promise.all(servers.map((server) => comeAndGo(server)));
    const growths = {};
    for (const stayer of stayers) growths[stayer.server.kind] = await probeAfter(stayer);
    return growths;
  });
}

/** The client that stays. */
async function stay(server) {
  const client = new WireClient(server);
  return { server, client, stream: await client.connect() };
}

async function probeBefore(stayer) {
  for (let round = 0; round < warmUps; round++) await probe(stayer);
  stayer.before = await probe(stayer);
  stayer.memory = await stayer.server.ask("memory");
}

async function probeAfter({ server, client, stream, before, memory }) {
  const after = await probe({ server, client, stream });
  const { rss, heapUsed } = await server.ask("memory");
  return {
    context: after.context / before.context,
    call: after.call / before.call,
    resident: (rss - memory.rss) / 1e6,
    heap: (heapUsed - memory.heapUsed) / 1e6,
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
