import { EditorProcess, withEditors } from "../editors/editor-process.mjs";
import { forEachEditor } from "../editors/index.mjs";
import { timed } from "../rounds.mjs";
import { connect } from "../wire.mjs";

/**
 * From the `openDiff` of a client until the proposed text is on the screen.
 * @param {import("./index.mjs").Bench} bench
 */
export function editorDiff(bench) {
  const options = { withPlugin: true, showsProposals: true };
  return forEachEditor((editor) =>
    withEditors([EditorProcess.start(editor, options, bench)], async (running) => {
      const { client } = await connect(await running.companion);
      const latencies = [];
      for (let round = 0; round <= bench.rounds; round++) {
        await running.idle();
        latencies.push(await timed(() => showProposal(client, running, round)));
        const closing = { filePath: running.file, suppressNotification: true };
        await client.call(client.toolCall("closeDiff", closing));
      }
      return [
        {
          title: `A proposal of 100 KB to the diff on the screen of ${editor.name}`,
          unit: "ms",
          samples: { ours: latencies.slice(1) }, // the first one loads what shows it
          judged: "value",
          must: 150,
          aim: 75,
        },
      ];
    }),
  );
}

async function showProposal(client, running, round) {
  // A new line has one colour, so that no escape sequence splits it.
  const line = `ProposalNumber${round}OnTheScreen`;
  const newContent = `line 1 of a file\n${line}\n${running.text.slice(running.text.indexOf("\n") + 1)}`;
  const shown = running.printed(line);
  await client.call(client.toolCall("openDiff", { filePath: running.file, newContent }));
  await shown;
}
