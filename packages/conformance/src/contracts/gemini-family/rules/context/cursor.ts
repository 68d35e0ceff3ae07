import { readFileSync } from "node:fs";
import { isJson } from "../../../../wire/json-rpc.ts";
import { byUser, demand, NotRun, quote } from "../../../check.ts";
import { code, recommended, specification } from "../../../requirement.ts";
import { changed, listing, withCursor, withSelection } from "../../faults.ts";
import type { Bench, FamilyGroup } from "../means.ts";
import { type ContextFile, contextsOf, filesOf, focused, method, opened, untilReported } from "./shape.ts";

/** Moves the cursor and waits until a context reports it. */
async function expectCursor(bench: Bench, file: string, line: number, character: number): Promise<void> {
  const { connect, editor } = bench;
  const session = await connect();
  await editor.open(file, line, character);
  const isThere = (files: readonly ContextFile[]) => {
    const cursor = focused(file)(files)?.cursor;
    return (isJson(cursor) && cursor.line === line && cursor.character === character) || undefined;
  };
  await untilReported(session, `line ${line}, character ${character} of ${file}`, isThere);
}

const selectionOf = (file: string) => (files: readonly ContextFile[]) => {
  const text = focused(file)(files)?.selectedText;
  return typeof text === "string" && text !== "" ? text : undefined;
};

/** Selects from the beginning of a file and waits for it in a context; contexts on the way do not count. */
async function selection(
  { connect, editor, limits }: Bench,
  file: string,
  to: { line: number; column: number },
) {
  const session = await connect();
  await editor.select(file, { line: 1, column: 1 }, to);
  await session.stream.listen(limits.quiet);
  return {
    session,
    text: await untilReported(session, `a selection in ${file}`, selectionOf(file)),
  };
}

const longest = 16_384;

const lines = 30;

/** Moves down a file. @returns the lines that contexts reported, in order, and the milliseconds that it took */
async function swept({ connect, editor, write }: Bench) {
  const file = await write("sweep.txt", "line\n".repeat(lines));
  const session = await connect();
  await opened({ editor }, session, file);
  const before = contextsOf(session).length;
  const started = performance.now();
  await editor.sweep(file, 1, lines);
  const milliseconds = performance.now() - started;
  const isDown = (files: readonly ContextFile[]) => lineOf(focused(file)(files)) === lines || undefined;
  await untilReported(session, `line ${lines} of ${file}`, isDown);
  const reported = contextsOf(session)
    .slice(before)
    .map((context) => lineOf(focused(file)(filesOf(context))));
  return { reported, milliseconds };
}

const lineOf = (file: ContextFile | undefined) => (isJson(file?.cursor) ? file.cursor.line : undefined);

/** The last selection stays until there is another. */
function rememberingSelection(): ReturnType<typeof changed> {
  let last: unknown;
  return changed(({ isActive, selectedText }) => {
    last = selectedText ?? last;
    return isActive === true && last !== undefined ? { selectedText: last } : {};
  });
}

export const cursorRules: FamilyGroup = {
  C5: {
    MUST: "`cursor` is the position of the user's cursor: line and character, both counted from 1.",
    sources: specification("II", "Line number and character number are 1-based."),
    check: "cursor",
    ...byUser,
    async run(bench) {
      const file = await bench.write("cursor.txt", "first\nsecond\nthird\n");
      await expectCursor(bench, file, 3, 4);
      await expectCursor(bench, file, 1, 1);
    },
    fault: {
      down: withCursor(({ line, character }) => ({ line: line - 1, character: character - 1 })),
      says: /line 3, character 4 .* was not reported/,
    },
  },
  C6: {
    SHOULD: "A character is a UTF-16 code unit, neither a byte nor a column of the screen.",
    sources: code("The CLIs, and the editor that they were written for, count like this."),
    check: "utf-16",
    ...byUser,
    async run(bench) {
      // The x is byte 9, code point 4 and unit 5, each counted from 1.
      const file = await bench.write("utf16.txt", "é\t😀x\n");
      await expectCursor(bench, file, 1, 5);
    },
    fault: {
      down: withCursor(({ line, character }, file) => {
        const text = readFileSync(file, "utf8").split("\n")[line - 1] ?? "";
        return { line, character: Buffer.byteLength(text.slice(0, character - 1)) + 1 };
      }),
      says: /line 1, character 5 .* was not reported/,
    },
  },
  C7: {
    MUST: "`selectedText` is the text that is selected.",
    sources: specification(
      "II",
      "It should be sent when the selection changes; the field holds the selected text.",
    ),
    check: "selected-text",
    ...byUser,
    async run({ connect, editor, write }) {
      const file = await write("selected.txt", "first line\nsecond line\n");
      const session = await connect();
      await editor.select(file, { line: 1, column: 3 }, { line: 2, column: 4 });
      const wanted = "rst line\nsec";
      const isSelected = (files: readonly ContextFile[]) => selectionOf(file)(files) === wanted || undefined;
      await untilReported(session, `the selection ${quote(wanted)}`, isSelected);
    },
    fault: {
      // The last character of a selection is missing.
      down: withSelection((selected) => selected.slice(0, -1)),
      says: /the selection "rst line\\nsec" was not reported .*"selectedText":"rst line\\nse"/,
    },
  },
  C8: {
    SHOULD: "When the selection ends, `selectedText` is absent.",
    sources: recommended("Otherwise the model answers about a text that is no longer selected."),
    check: "stale-selection",
    ...byUser,
    async run(bench) {
      const file = await bench.write("stale.txt", "first line\nsecond line\n");
      const { session } = await selection(bench, file, { line: 1, column: 6 });
      await bench.editor.open(file, 2, 1);
      const none = (files: readonly ContextFile[]) => {
        const found = focused(file)(files);
        return found && (found.selectedText === undefined || found.selectedText === "") ? found : undefined;
      };
      await untilReported(session, `that nothing is selected in ${file}`, none);
    },
    fault: { down: rememberingSelection(), says: /that nothing is selected .* was not reported/ },
  },
  C14: {
    SHOULD: "At most 16 384 characters of a selection are sent.",
    sources: specification("II", "It is highly recommended to limit what is sent; the CLI uses 16 KB."),
    check: "long-selection",
    ...byUser,
    async run(bench) {
      const file = await bench.write("long.txt", `${"x".repeat(99)}\n`.repeat(200));
      const { text } = await selection(bench, file, { line: 200, column: 100 });
      demand(text.length <= longest, `${text.length} characters of 19 999 were sent`);
    },
    fault: {
      down: withSelection((_, text) => text.slice(0, -1)),
      says: /19999 characters of 19 999 were sent/,
    },
  },
  C15: {
    SHOULD: "A selection is never cut within a surrogate pair.",
    sources: recommended("Half of a pair is no character: some models' servers refuse the whole request."),
    check: "whole-characters",
    ...byUser,
    async run(bench) {
      // A line has 102 units with its end: a cut at 16 384 splits a pair.
      const file = await bench.write("pairs.txt", `x${"😀".repeat(50)}\n`.repeat(200));
      const { text } = await selection(bench, file, { line: 200, column: 102 });
      const isWhole = text.isWellFormed() && !text.includes("\uFFFD");
      demand(isWhole, `${text.length} units were sent, and they end in ${quote(text.slice(-3))}`);
    },
    fault: {
      down: withSelection((_, text) => text.slice(0, longest)),
      says: /16384 units were sent, and they end in/,
    },
  },
  C16: {
    SHOULD: "While the cursor moves, updates are held back for about 50 ms.",
    sources: specification("II", "The recommended debounce is 50 ms."),
    check: "debounce",
    ...byUser,
    async run(bench) {
      const { reported, milliseconds } = await swept(bench);
      const most = Math.ceil(milliseconds / 45) + 3;
      demand(
        reported.length <= most,
        `${lines} movements in ${Math.round(milliseconds)} ms led to ${reported.length} contexts, more than one each 50 ms`,
      );
    },
    fault: {
      // So often that it is too often on a busy machine, too, where the movements take long.
      down(message, { tell }) {
        if (message.method === method) for (let count = 1; count < 30; count += 1) tell(message);
        return message;
      },
      says: /more than one each 50 ms/,
    },
  },
  C17: {
    SHOULD: "While the cursor keeps moving, updates still come.",
    sources: recommended("A trailing debounce alone starves for as long as the user moves."),
    check: "starvation",
    ...byUser,
    async run(bench) {
      const { reported, milliseconds } = await swept(bench);
      if (milliseconds < 500)
        throw new NotRun(`the editor command had finished after ${Math.round(milliseconds)} ms`);
      const between = reported.filter((line) => typeof line === "number" && line > 1 && line < lines);
      demand(between.length > 0, `no context came in ${Math.round(milliseconds)} ms of movement`);
    },
    fault: {
      // Reports no position on the way, as a trailing debounce does while the cursor keeps moving.
      down: listing((files) => {
        const isOnTheWay = files.some(
          ({ cursor }) => isJson(cursor) && cursor.line !== 1 && cursor.line !== lines,
        );
        return isOnTheWay ? undefined : files;
      }),
      says: /no context came/,
    },
  },
};
