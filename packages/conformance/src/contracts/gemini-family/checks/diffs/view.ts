import { existsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { demand, demandNone } from "../../../check.ts";
import type { Bench, Check } from "../means.ts";
import { closedText } from "./closing.ts";
import { isRefused } from "./tools.ts";

export const newFile: Check = {
  id: "new-file",
  title: "a new file in a new folder can be proposed, and neither is created",
  requirements: ["P26"],
  lane: "proposals",
  async run({ wire, path: pathOf }) {
    const session = await wire.connect();
    const file = pathOf("new/folder/new.txt");
    await session.openDiff(file, "new\n");
    await session.closeDiff(file);
    demand(!existsSync(pathOf("new")), `${pathOf("new")} was created, though the user has not accepted`);
  },
};

export const oddTargets: Check = {
  id: "odd-targets",
  title: "paths that cannot be shown as a diff do no harm",
  requirements: ["P27"],
  lane: "proposals",
  async run({ wire, path: pathOf, write, note }) {
    const session = await wire.connect();
    await mkdir(pathOf("folder"), { recursive: true });
    const file = await write("file.txt", "a file\n");
    const binary = await write("binary.bin", Buffer.from([0, 1, 2, 255, 254, 10, 0]));
    const odd = [
      pathOf("folder"),
      path.join(file, "below-a-file.txt"),
      pathOf("x".repeat(300)),
      binary,
      "relative.txt",
      "",
    ];
    for (const target of odd) {
      const answer = await session.call("openDiff", { filePath: target, newContent: "text\n" });
      note(`openDiff of ${JSON.stringify(target.slice(-60))}: ${isRefused(answer) ? "refused" : "shown"}`);
      if (!isRefused(answer)) await session.closeDiff(target);
    }
    const good = pathOf("good.txt");
    await session.openDiff(good, "good\n");
    await session.closeDiff(good);
  },
};

export const anyFile: Check = {
  id: "any-file",
  title: "a change of any file can be proposed, in any folder and with any mode",
  requirements: ["P32"],
  lane: "proposals",
  async run({ wire, path: pathOf, write, target }) {
    const session = await wire.connect();
    const readOnly = await write("read-only.txt", "before\n");
    await chmod(readOnly, 0o444);
    const binary = await write("was-binary.bin", Buffer.from([0, 1, 2, 255, 254, 10, 0]));
    const empty = await write("empty.txt", "");
    const files: readonly (readonly [what: string, file: string])[] = [
      ["a read-only file", readOnly],
      ["a file that was no text", binary],
      ["an empty file", empty],
      ["a file without an extension", pathOf("LICENSE")],
      [
        "a file outside of the open folders",
        path.join(target.systemFolders.tmp, "outside-of-all-folders.txt"),
      ],
    ];
    const problems: string[] = [];
    for (const [what, file] of files) {
      const answer = await session.call("openDiff", { filePath: file, newContent: "proposed\n" });
      if (isRefused(answer)) {
        problems.push(`${what} was refused: ${JSON.stringify(answer.result ?? answer.error)}`);
        continue;
      }
      const text = closedText(await session.closeDiff(file));
      if (text !== "proposed\n") problems.push(`of ${what}, closeDiff answers ${JSON.stringify(text)}`);
    }
    demandNone(problems);
  },
};

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
