import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EditorProcess } from "../editors/editor-process.mjs";
import { forEachEditor } from "../editors/index.mjs";
import { withVscode } from "../editors/vscode.mjs";
import { interleave, median, over, pause, timed, withAll } from "../rounds.mjs";
import { connect } from "../wire.mjs";

/** Short runs: many rounds cost little. */
const atLeast = 15;

const keys = 20;

/**
 * From the start of an editor with a file until it would wait for a key, with the plugin over without.
 * @param {import("./index.mjs").Bench} bench
 */
export function editorStart(bench) {
  return forEachEditor(async (editor) => {
    const round = (withPlugin) => startTime(editor, withPlugin, bench);
    const count = Math.max(bench.rounds, atLeast);
    const results = await interleave([false, true], count, round, { warm: true });
    const without = results.of(false);
    return [
      {
        title: `Start of ${editor.name}: what the plugin adds (to ${median(without).toFixed(0)} ms)`,
        samples: { ours: over(without, results.of(true)) },
        must: editor.mostAtStart,
      },
    ];
  });
}

/**
 * Processor time of an editor for each movement of its cursor by a key, with the plugin over without.
 * Where the plugin uses libraries of the editor, these are loaded in both, and the floor is what
 * they add alone.
 * @param {import("./index.mjs").Bench} bench
 */
export function editorMoves(bench) {
  return forEachEditor((editor) => {
    const withLibraries = editor.libraries !== undefined;
    const variants = [{ withPlugin: false, withLibraries }, { withPlugin: true }];
    if (withLibraries) variants.push({ withPlugin: false });
    return compareMoves(editor, variants, bench, (pace, without, withIt, bare) => {
      const theirs = bare && ` (floor: its own ${editor.libraries}, loaded in both)`;
      return [
        {
          title: `Moving the cursor in ${editor.name}, ${pace}: what the plugin adds${theirs ?? ""}`,
          unit: "µs",
          samples: { floor: bare && over(bare, without), ours: over(without, withIt) },
          must: 50,
        },
      ];
    });
  });
}

/**
 * What a movement costs in a file in which an agent has written without asking, over the same file without marks.
 * @param {import("./index.mjs").Bench} bench
 */
export function editorMarks(bench) {
  const hunks = 200;
  const variants = [{ withPlugin: true }, { withPlugin: true, hunks }];
  return forEachEditor((editor) =>
    compareMoves(editor, variants, bench, (pace, floor, ours) => {
      const title = `Moving the cursor in ${editor.name} among ${hunks} marked hunks, ${pace}`;
      const added = { title: `${title}: what the marks add`, samples: { ours: over(floor, ours) }, aim: 50 };
      return [
        { title, unit: "µs", samples: { floor, ours }, judged: "ratio" },
        { ...added, unit: "µs" },
      ];
    }),
  );
}

/**
 * Moves the cursor in editors that were started in several ways.
 * @param {(pace: string, ...times: number[][]) => import("../report.mjs").Row[]} toRows gets microseconds for a key,
 *   of each variant one in each round
 */
function compareMoves(editor, variants, bench, toRows) {
  const starting = variants.map((variant) => EditorProcess.start(editor, variant, bench));
  return withAll(starting, async (...all) => {
    await Promise.all(all.map(({ companion }) => companion));
    const rows = [];
    for (const pace of paces) {
      const round = (running) => timePerMove(running, editor, pace);
      const results = await interleave(all, bench.rounds, round, { warm: true });
      rows.push(...toRows(pace.title, ...all.map((running) => results.of(running))));
    }
    return rows;
  });
}

/**
 * From a key that moves the cursor to the client that receives the context.
 * @param {import("./index.mjs").Bench} bench
 */
export function editorKey(bench) {
  return forEachEditor((editor) =>
    withAll([EditorProcess.start(editor, { withPlugin: true }, bench)], async (running) => {
      const { stream } = await connect(await running.companion);
      const latencies = [];
      for (let line = 2; line < keys + 2; line++) {
        await running.idle();
        // Not synchronous with any timer.
        await pause((line * 37) % 50);
        const typedAt = running.type(editor.down);
        await stream.until(({ arrivals }) => arrivals.at(-1)?.stamp === line);
        latencies.push((stream.arrivals.at(-1).arrivedAt - typedAt) / 1000);
      }
      return [
        {
          title: `A key in ${editor.name} to the context that the client receives`,
          samples: { ours: latencies },
          must: 100,
          aim: 80,
        },
      ];
    }),
  );
}

/**
 * From the `openDiff` of a client until the proposed text is on the screen.
 * @param {import("./index.mjs").Bench} bench
 */
export function editorDiff(bench) {
  const options = { withPlugin: true, showsProposals: true };
  return forEachEditor((editor) =>
    withAll([EditorProcess.start(editor, options, bench)], async (running) => {
      const { client } = await connect(await running.companion);
      const rows = [];
      for (const { size, copies, ...limits } of proposals) {
        const filePath = join(dirname(running.file), `${size}.txt`);
        const text = running.text.repeat(copies);
        await writeFile(filePath, text);
        const latencies = [];
        for (let round = 0; round <= bench.rounds; round++) {
          await running.idle();
          // A new line has one colour, so that no escape sequence splits it.
          const line = `ProposalNumber${round}OnTheScreen`;
          const newContent = `line 1 of a file\n${line}\n${text.slice(text.indexOf("\n") + 1)}`;
          const { open, close } = client.diff(filePath, newContent);
          const show = () => Promise.all([running.printed(line), client.call(open)]);
          latencies.push(await timed(show));
          await client.call(close);
        }
        rows.push({
          title: `A proposal of ${size} to the diff on the screen of ${editor.name}`,
          samples: { ours: latencies.slice(1) }, // the first one loads what shows it
          ...limits,
        });
      }
      return rows;
    }),
  );
}

/** Files by how often they repeat that of the editor. */
const proposals = [
  { size: "100 KB", copies: 1, must: 150, aim: 75 },
  { size: "6 MB", copies: 60, must: 2000 },
];

/**
 * Processor time of the extension host's main thread until the VS Code extension is active.
 * @param {import("./index.mjs").Bench} bench
 */
export async function vscodeActivation(bench) {
  const times = await withVscode(bench, async (activate) => {
    await activate(true); // warm: the system's own caches
    const all = [];
    for (let round = 0; round < bench.rounds; round++) all.push(await activate(round % 2 === 0));
    return all;
  });
  if (times === undefined) return [];
  return [
    {
      title: "Activation of the VS Code extension: main thread's processor time (floor: an empty extension)",
      samples: { floor: times.map(({ empty }) => empty), ours: times.map(({ ours }) => ours) },
      must: 50,
    },
  ];
}

/** Milliseconds. */
async function startTime(editor, withPlugin, bench) {
  const started = await EditorProcess.start(editor, { withPlugin }, bench);
  await started.close();
  return (started.readyAt - started.startedAt) / 1000;
}

/** How many keys, and so many milliseconds apart. */
const paces = [
  { title: "a key every 10 ms", count: 400, interval: 10 },
  { title: "as fast as it takes them", count: 1500, interval: 0 },
];

/** Microseconds. */
async function timePerMove(running, { down, up }, { count, interval }) {
  const before = await running.processorTime();
  if (interval === 0) running.type(down.repeat(count));
  for (let typed = 0; interval > 0 && typed < count; typed++) {
    running.type(down);
    await pause(interval);
  }
  await running.idle();
  const used = (await running.processorTime()) - before;
  running.type(up.repeat(count));
  await running.idle();
  return used / count;
}
