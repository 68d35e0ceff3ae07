import { setTimeout as delay } from "node:timers/promises";
import { demand } from "../../assertions.ts";
import type { Bench, Check } from "../check.ts";

/**
 * Waits until a diff is shown, or is no longer shown.
 * @param within milliseconds
 * @returns the milliseconds that it took
 * @throws Broken with the message when it does not happen in time
 */
async function untilShown(
  { editor }: Bench,
  file: string,
  wanted: boolean,
  within: number,
  message: string,
): Promise<number> {
  const started = performance.now();
  // Less and less often: each call starts a program.
  for (let pause = 50; (await editor.shows(file)) !== wanted; pause = Math.min(2 * pause, 500)) {
    demand(performance.now() - started < within, message);
    await delay(pause);
  }
  return performance.now() - started;
}

/** Opens a diff and waits until the editor shows it. */
async function show(bench: Bench, name: string) {
  const session = await bench.wire.connect();
  const file = await bench.write(name, "before\n");
  await session.openDiff(file, "proposed\n");
  const message = `openDiff of ${file} was answered, but the editor shows no diff of it`;
  await untilShown(bench, file, true, bench.limits.event, message);
  return { session, file };
}

export const viewOpens: Check = {
  id: "view-opens",
  title: "openDiff shows the diff",
  requirements: ["P33"],
  lane: "editor",
  needs: ["editor-command"],
  async run(bench) {
    await show(bench, "shown.txt");
  },
};

export const viewCloses: Check = {
  id: "view-closes",
  title: "closeDiff closes the view",
  requirements: ["P25"],
  lane: "editor",
  needs: ["editor-command"],
  async run(bench) {
    const { session, file } = await show(bench, "view.txt");
    await session.closeDiff(file);
    const message = `closeDiff was answered, but the editor still shows the diff of ${file}`;
    await untilShown(bench, file, false, bench.limits.event, message);
  },
};

export const killedCli: Check = {
  id: "killed-cli",
  title: "the diffs of a CLI that was killed are closed",
  requirements: ["P24"],
  lane: "proposals",
  needs: ["editor-command"],
  async run(bench) {
    const { limits, note } = bench;
    const { session, file } = await show(bench, "orphan.txt");
    session.stream.cut();
    const message = `${limits.reaping / 1000} s after its CLI was killed, the diff of ${file} is still shown`;
    const waited = await untilShown(bench, file, false, limits.reaping, message);
    session.openDiffs.delete(file);
    note(`It was closed after ${(waited / 1000).toFixed(1)} s.`);
  },
};
