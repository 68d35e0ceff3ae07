import { EditorProcess } from "../editors/editor-process.mjs";
import { forEachEditor } from "../editors/index.mjs";
import { interleave, median } from "../rounds.mjs";

/** Short runs: many rounds cost little. */
const atLeast = 15;

/**
 * From the start of an editor with a file until it would wait for a key, with the plugin over without.
 * @param {import("./index.mjs").Bench} bench
 */
export function editorStart(bench) {
  return forEachEditor(async (editor) => {
    const round = async (withPlugin) => ({ time: await startTime(editor, withPlugin, bench) });
    await interleave([false, true], 1, round); // warm: the system's own caches
    const results = await interleave([false, true], Math.max(bench.rounds, atLeast), round);
    const [without, withIt] = [results.get(false).time, results.get(true).time];
    return [
      {
        title: `Start of ${editor.name}: what the plugin adds (to ${median(without).toFixed(0)} ms)`,
        unit: "ms",
        samples: { ours: withIt.map((time, index) => time - without[index]) },
        judged: "value",
        must: editor.mostAtStart,
      },
    ];
  });
}

/** Milliseconds. */
async function startTime(editor, withPlugin, bench) {
  const started = await EditorProcess.start(editor, { withPlugin }, bench);
  await started.close();
  return (started.readyAt - started.startedAt) / 1000;
}
