import { EditorProcess, withEditors } from "../editors/editor-process.mjs";
import { forEachEditor } from "../editors/index.mjs";
import { interleave, pause } from "../rounds.mjs";

/** How many keys, and so many milliseconds apart. */
const paces = [
  { title: "a key every 10 ms", count: 400, interval: 10 },
  { title: "as fast as it takes them", count: 1500, interval: 0 },
];

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
    const starting = variants.map((variant) => EditorProcess.start(editor, variant, bench));
    return withEditors(starting, async (...all) => {
      const [, plugged] = all;
      await plugged.companion;
      const rows = [];
      for (const pace of paces) {
        const round = async (running) => ({ time: await timePerMove(running, editor, pace) });
        await interleave(all, 1, round); // warm
        const results = await interleave(all, bench.rounds, round);
        const [without, withIt, bare] = all.map((running) => results.get(running).time);
        const over = (floor, times) => times.map((time, index) => time - floor[index]);
        const theirs = bare && ` (floor: its own ${editor.libraries}, loaded in both)`;
        rows.push({
          title: `Moving the cursor in ${editor.name}, ${pace.title}: what the plugin adds${theirs ?? ""}`,
          unit: "µs",
          samples: { floor: bare && over(bare, without), ours: over(without, withIt) },
          judged: "value",
          must: 50,
        });
      }
      return rows;
    });
  });
}

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
