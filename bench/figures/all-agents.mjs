import { executableIn } from "../bundle.mjs";
import { interleave, median, timed } from "../rounds.mjs";
import { ServerProcess, toArguments } from "../server-process.mjs";
import { sendInTurn } from "./broadcast.mjs";
import { sessions as held, residentOf } from "./memory.mjs";
import { atLeast, listenTime, runEmpty } from "./start-up.mjs";

/** Those that are there without the others; the floor of these figures. */
const few = ["gemini", "qwen"];

/**
 * What it costs that a companion serves every agent.
 * @param {import("./index.mjs").Bench} bench
 */
export async function allAgents(bench) {
  const benches = { few: { ...bench, agents: few }, all: bench };
  const row = (title, unit, results, name) => ({
    title: `All agents, to Gemini CLI and Qwen Code alone as the floor: ${title}`,
    unit,
    samples: { floor: results.get("few")[name], ours: results.get("all")[name] },
    judged: "ratio",
    must: 1.1,
  });
  const memory = await interleave(Object.keys(benches), bench.rounds, (name) =>
    residentOf("executable", benches[name]),
  );
  const start = await startTimes(bench);
  const broadcast = await broadcasts(benches, bench.rounds);
  return [
    row("start of the bundled executable to its open port", "ms", start, "time"),
    row("resident memory of the bundled executable at start", "MB", memory, "start"),
    row(`resident memory of the bundled executable with ${held} sessions`, "MB", memory, "busy"),
    row("a context of 18 KB to 100 sessions, server's processor time", "ms", broadcast, "cpu"),
  ];
}

/** Over an empty node process. */
async function startTimes({ bundles, sandbox, rounds }) {
  const start = (agents) =>
    listenTime([executableIn(bundles), sandbox.workspace, "--no-open", ...toArguments(agents)], sandbox);
  const subjects = {
    empty: () => timed(() => runEmpty(sandbox)),
    few: () => start(few),
    all: () => start(),
  };
  const names = Object.keys(subjects);
  const round = async (name) => ({ time: await subjects[name]() });
  await interleave(names, 1, round); // warm: the system's own caches
  const results = await interleave(names, Math.max(rounds * 3, atLeast), round);
  const empty = median(results.get("empty").time);
  const beyond = (name) => [name, { time: results.get(name).time.map((time) => time - empty) }];
  return new Map([beyond("few"), beyond("all")]);
}

async function broadcasts(benches, rounds) {
  const servers = [];
  try {
    for (const bench of Object.values(benches)) servers.push(await ServerProcess.start("companion", bench));
    const results = await sendInTurn(servers, rounds * 3);
    return new Map(Object.keys(benches).map((name, index) => [name, results.get(servers[index])]));
  } finally {
    for (const server of servers) await server.close();
  }
}
