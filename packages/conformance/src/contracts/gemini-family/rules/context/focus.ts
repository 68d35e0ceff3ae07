import { rm } from "node:fs/promises";
import { byUser, demand, demandNone, unless } from "../../../check.ts";
import { toLastAlone } from "../../../fault.ts";
import { code, observed, recommended, specification } from "../../../requirement.ts";
import { changed, listing, remembering } from "../../faults.ts";
import type { FamilyGroup } from "../means.ts";
import { type ContextFile, focused, opened, untilReported } from "./shape.ts";

const text = "first line\nsecond line\nthird line\n";

const gone = (file: string) => (files: readonly ContextFile[]) =>
  files.every(({ path }) => path !== file) || undefined;

/** For clocks that count whole seconds. */
const second = 1000;

function timesOf(
  files: readonly ContextFile[],
  ...paths: readonly [string, string]
): [number, number] | undefined {
  const [first, second] = paths.map((path) => files.find((file) => file.path === path)?.timestamp);
  return typeof first === "number" && typeof second === "number" ? [first, second] : undefined;
}

const startedAt = Date.now() - 60_000;

export const focusRules: FamilyGroup = {
  C3: {
    SHOULD:
      "A file that is opened or focused is reported, and the one that has the focus has `isActive: true`.",
    sources: specification("II", "It should be sent when a file is opened, closed or focused."),
    check: "focused-file",
    ...byUser,
    async run({ connect, editor, write }) {
      const session = await connect();
      const [first, second] = [await write("first.txt", text), await write("second.txt", text)];
      for (const file of [first, second, first]) {
        await opened({ editor }, session, file);
      }
      const both = (files: readonly ContextFile[]) =>
        [first, second].every((file) => files.some(({ path }) => path === file)) || undefined;
      await untilReported(session, `${second}, which is open too,`, both);
    },
    fault: {
      down: changed(() => ({ isActive: false })),
      says: /the focus on .*first\.txt was not reported/,
    },
  },
  C4: {
    SHOULD: "A file that is closed is removed.",
    sources: specification("II", "It should be sent when a file is opened, closed or focused."),
    check: "closed-file",
    ...byUser,
    async run({ connect, editor, write }) {
      const session = await connect();
      const file = await write("closed.txt", text);
      await opened({ editor }, session, file);
      await editor.close(file);
      await untilReported(session, `that ${file} is closed`, gone(file));
    },
    fault: { down: remembering(), says: /that .*closed\.txt is closed was not reported/ },
  },
  C10: {
    SHOULD: "A file that is deleted on disk is removed.",
    sources: specification("II", "Only files that exist on disk should be listed."),
    check: "deleted-file",
    ...byUser,
    async run({ connect, editor, write }) {
      const session = await connect();
      const file = await write("deleted.txt", text);
      await opened({ editor }, session, file);
      await rm(file);
      await untilReported(session, `that ${file} is gone`, gone(file));
    },
    fault: { down: remembering(), says: /that .*deleted\.txt is gone was not reported/ },
  },
  C11: {
    MUST: "`timestamp` is the Unix time at which the file was last focused: the newest has the focus.",
    sources: specification("II", "The companion MUST give an accurate Unix time; the CLI sorts by it."),
    check: "focus-times",
    ...byUser,
    async run({ connect, editor, write }) {
      const session = await connect();
      const [older, newer] = [await write("older.txt", text), await write("newer.txt", text)];
      // Neither the names nor the order of opening may decide.
      for (const file of [newer, older, newer]) {
        await opened({ editor }, session, file);
      }
      const times = await untilReported(session, "both files", (files) => timesOf(files, older, newer));
      demand(
        times[0] < times[1],
        `${older} was focused before ${newer}, but their times are ${times.join(" and ")}`,
      );
    },
    fault: { down: changed(() => ({ timestamp: 1 })), says: /their times are 1 and 1/ },
    more: [
      {
        check: "unix-times",
        title: "the time of a focus is the time of day",
        ...byUser,
        async run({ connect, editor, write }) {
          const session = await connect();
          const file = await write("now.txt", text);
          const before = Date.now();
          const { timestamp } = await opened({ editor }, session, file);
          const after = Date.now();
          // In milliseconds, as the official companion sends it, or in seconds, as "Unix time" means.
          const isNow = [1, 1000].some((unit) => {
            const time = Number(timestamp) * unit;
            return time > before - second && time < after + second;
          });
          demand(isNow, `${file} was focused between ${before} and ${after}, its time is ${timestamp}`);
        },
        // The time counts from the start of the editor.
        fault: {
          down: changed(({ timestamp }) => ({ timestamp: Number(timestamp) - startedAt })),
          says: /now\.txt was focused between \d+ and \d+, its time is \d+/,
        },
      },
    ],
  },
  C12: {
    SHOULD: "Only the focused file, which is the newest, has `isActive`, `cursor` and `selectedText`.",
    sources: [
      specification("II", "The flag and the details should be given for the focused file only."),
      code("The CLI removes them from all others."),
    ],
    check: "focused-alone",
    ...byUser,
    async run({ connect, editor, write }) {
      const session = await connect();
      const [left, here] = [await write("left.txt", text), await write("here.txt", text)];
      await editor.select(left, { line: 1, column: 1 }, { line: 1, column: 6 });
      await untilReported(session, `the focus on ${left}`, focused(left));
      await editor.open(here, 1, 1);
      const files = await untilReported(session, `the focus on ${here}`, (all) => focused(here)(all) && all);
      const problems = files
        .filter(({ path }) => path !== here)
        .flatMap(({ path, isActive, cursor, selectedText }) => [
          ...(isActive === true ? [`${path} is active too`] : []),
          ...unless(cursor === undefined, `${path} has a cursor but not the focus`),
          ...unless(selectedText === undefined, `${path} has a selection but not the focus`),
        ]);
      const newest = Math.max(...files.map(({ timestamp }) => Number(timestamp)));
      const isNewest = focused(here)(files)?.timestamp === newest;
      demandNone([...problems, ...unless(isNewest, `${here} has the focus, but not the newest time`)]);
    },
    fault: {
      down: changed(({ cursor = { line: 1, character: 1 } }) => ({ cursor })),
      says: /left\.txt has a cursor but not the focus/,
    },
  },
  C13: {
    SHOULD: "At most 10 files are sent, the newest.",
    sources: specification("II", "It is highly recommended to limit what is sent; the CLI uses 10."),
    check: "ten-files",
    ...byUser,
    async run({ connect, editor, write }) {
      const session = await connect();
      const files: string[] = [];
      for (let number = 1; number <= 11; number += 1) {
        const file = await write(`file-${number}.txt`, text);
        files.push(file);
        await editor.open(file, 1, 1);
      }
      const last = files.at(-1) ?? "";
      const sent = await untilReported(session, `the focus on ${last}`, (all) => focused(last)(all) && all);
      demand(sent.length <= 10, `11 files are open, and ${sent.length} were sent`);
      const missing = files.slice(-10).filter((file) => sent.every(({ path }) => path !== file));
      demand(
        sent.length < 10 || missing.length === 0,
        `of the newest ten, ${missing.join(", ")} was not sent`,
      );
    },
    fault: {
      down: listing((files) => (files.length < 10 ? files : [...files, { path: "/another", timestamp: 1 }])),
      says: /11 files are open, and 11 were sent/,
    },
  },
  C18: {
    SHOULD: "Every connected CLI receives the context.",
    sources: recommended("The user of each asks about what is on the screen."),
    check: "every-cli",
    ...byUser,
    async run({ connect, editor, agents, write }) {
      const file = await write("everywhere.txt", text);
      const sessions = [];
      for (const agent of [...agents, ...agents]) sessions.push(await connect({ agent }));
      await editor.open(file, 2, 1);
      for (const session of sessions) {
        await untilReported(session, `to ${session}, the focus on ${file}`, focused(file));
      }
    },
    fault: {
      down: toLastAlone("ide/contextUpdate"),
      says: /to Gemini CLI, the focus on .* was not reported/,
    },
  },
  C19: {
    SHOULD: "`isTrusted` is sent only by an editor that knows trusted folders.",
    sources: observed(
      "If it differs from the CLI's own settings, either way, the CLI takes no more input and asks for a restart.",
    ),
    unchecked: "Only the editor knows whether it does.",
  },
};
