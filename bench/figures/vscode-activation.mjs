import { missingForVscode, VscodeWindows } from "../editors/vscode.mjs";

/**
 * Processor time of the extension host's main thread until the VS Code extension is active.
 * @param {import("./index.mjs").Bench} bench
 */
export async function vscodeActivation(bench) {
  const missing = missingForVscode();
  if (missing !== undefined) {
    console.error(`VS Code is left out: there is no ${missing}`);
    return [];
  }
  const windows = await VscodeWindows.start(bench);
  try {
    await windows.activate(true); // warm: the system's own caches
    const times = [];
    for (let round = 0; round < bench.rounds; round++) times.push(await windows.activate(round % 2 === 0));
    return [
      {
        title:
          "Activation of the VS Code extension: main thread's processor time (floor: an empty extension)",
        unit: "ms",
        samples: { floor: times.map(({ empty }) => empty), ours: times.map(({ ours }) => ours) },
        judged: "value",
        must: 50,
      },
    ];
  } finally {
    await windows.close();
  }
}
