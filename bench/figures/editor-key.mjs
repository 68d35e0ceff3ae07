import { EditorProcess, withEditors } from "../editors/editor-process.mjs";
import { forEachEditor } from "../editors/index.mjs";
import { pause } from "../rounds.mjs";
import { connect } from "../wire.mjs";

const keys = 20;

/**
 * From a key that moves the cursor to the client that receives the context.
 * @param {import("./index.mjs").Bench} bench
 */
export function editorKey(bench) {
  return forEachEditor((editor) =>
    withEditors([EditorProcess.start(editor, { withPlugin: true }, bench)], async (running) => {
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
          unit: "ms",
          samples: { ours: latencies },
          judged: "value",
          must: 100,
          aim: 80,
        },
      ];
    }),
  );
}
