import { rm } from "node:fs/promises";
import { demand, demandNone } from "../../../check.ts";
import type { Check } from "../means.ts";
import { type ContextFile, focused, opened, untilReported } from "./shape.ts";

const text = "first line\nsecond line\nthird line\n";

export const focusedFile: Check = {
  id: "focused-file",
  title: "a file that is opened or focused is reported as the active one",
  requirements: ["C3"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, write, limits }) {
    const session = await wire.connect();
    const [first, second] = [await write("first.txt", text), await write("second.txt", text)];
    for (const file of [first, second, first]) {
      await opened({ editor, limits }, session, file);
    }
    const both = (files: readonly ContextFile[]) =>
      [first, second].every((file) => files.some(({ path }) => path === file)) || undefined;
    await untilReported(session, `${second}, which is open too,`, both, limits.event);
  },
};

export const closedFile: Check = {
  id: "closed-file",
  title: "a file that is closed is removed",
  requirements: ["C4"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, write, limits }) {
    const session = await wire.connect();
    const file = await write("closed.txt", text);
    await opened({ editor, limits }, session, file);
    await editor.close(file);
    await untilReported(session, `that ${file} is closed`, gone(file), limits.event);
  },
};

export const deletedFile: Check = {
  id: "deleted-file",
  title: "a file that is deleted on disk is removed",
  requirements: ["C10"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, write, limits }) {
    const session = await wire.connect();
    const file = await write("deleted.txt", text);
    await opened({ editor, limits }, session, file);
    await rm(file);
    await untilReported(session, `that ${file} is gone`, gone(file), limits.event);
  },
};

const gone = (file: string) => (files: readonly ContextFile[]) =>
  files.every(({ path }) => path !== file) || undefined;

export const focusTimes: Check = {
  id: "focus-times",
  title: "times show which file was focused last",
  requirements: ["C11"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, write, limits }) {
    const session = await wire.connect();
    const [older, newer] = [await write("older.txt", text), await write("newer.txt", text)];
    // Neither the names nor the order of opening may decide.
    for (const file of [newer, older, newer]) {
      await opened({ editor, limits }, session, file);
    }
    const times = await untilReported(
      session,
      "both files",
      (files) => timesOf(files, older, newer),
      limits.event,
    );
    demand(
      times[0] < times[1],
      `${older} was focused before ${newer}, but their times are ${times.join(" and ")}`,
    );
  },
};

export const unixTimes: Check = {
  id: "unix-times",
  title: "the time of a focus is the time of day",
  requirements: ["C11"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, write, limits }) {
    const session = await wire.connect();
    const file = await write("now.txt", text);
    const before = Date.now();
    const { timestamp } = await opened({ editor, limits }, session, file);
    const after = Date.now();
    // In milliseconds, as the official companion sends it, or in seconds, as "Unix time" means.
    const isNow = [1, 1000].some((unit) => {
      const time = Number(timestamp) * unit;
      return time > before - second && time < after + second;
    });
    demand(isNow, `${file} was focused between ${before} and ${after}, its time is ${timestamp}`);
  },
};

/** For clocks that count whole seconds. */
const second = 1000;

function timesOf(
  files: readonly ContextFile[],
  ...paths: readonly [string, string]
): [number, number] | undefined {
  const [first, second] = paths.map((path) => files.find((file) => file.path === path)?.timestamp);
  return typeof first === "number" && typeof second === "number" ? [first, second] : undefined;
}

export const focusedAlone: Check = {
  id: "focused-alone",
  title: "only the focused file has the details",
  requirements: ["C12"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, write, limits }) {
    const session = await wire.connect();
    const [left, here] = [await write("left.txt", text), await write("here.txt", text)];
    await editor.select(left, { line: 1, column: 1 }, { line: 1, column: 6 });
    await untilReported(session, `the focus on ${left}`, focused(left), limits.event);
    await editor.open(here, 1, 1);
    const files = await untilReported(
      session,
      `the focus on ${here}`,
      (all) => focused(here)(all) && all,
      limits.event,
    );
    const problems = files
      .filter(({ path }) => path !== here)
      .flatMap(({ path, isActive, cursor, selectedText }) => [
        ...(isActive === true ? [`${path} is active too`] : []),
        ...(cursor === undefined ? [] : [`${path} has a cursor but not the focus`]),
        ...(selectedText === undefined ? [] : [`${path} has a selection but not the focus`]),
      ]);
    const newest = Math.max(...files.map(({ timestamp }) => Number(timestamp)));
    const isNewest = focused(here)(files)?.timestamp === newest;
    demandNone([...problems, ...(isNewest ? [] : [`${here} has the focus, but not the newest time`])]);
  },
};

export const tenFiles: Check = {
  id: "ten-files",
  title: "at most ten files are sent, the newest",
  requirements: ["C13"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, write, limits }) {
    const session = await wire.connect();
    const files: string[] = [];
    for (let number = 1; number <= 11; number += 1) {
      const file = await write(`file-${number}.txt`, text);
      files.push(file);
      await editor.open(file, 1, 1);
    }
    const last = files.at(-1) ?? "";
    const sent = await untilReported(
      session,
      `the focus on ${last}`,
      (all) => focused(last)(all) && all,
      limits.event,
    );
    demand(sent.length <= 10, `11 files are open, and ${sent.length} were sent`);
    const missing = files.slice(-10).filter((file) => sent.every(({ path }) => path !== file));
    demand(sent.length < 10 || missing.length === 0, `of the newest ten, ${missing.join(", ")} was not sent`);
  },
};

export const everyCli: Check = {
  id: "every-cli",
  title: "every connected CLI receives the context",
  requirements: ["C18"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, agents, write, limits }) {
    const file = await write("everywhere.txt", text);
    const sessions = [];
    for (const agent of [...agents, ...agents]) sessions.push(await wire.connect({ agent }));
    await editor.open(file, 2, 1);
    for (const session of sessions) {
      await untilReported(session, `to ${session}, the focus on ${file}`, focused(file), limits.event);
    }
  },
};
