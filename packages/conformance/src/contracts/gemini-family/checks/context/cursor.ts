import { isJson } from "../../../../wire/json-rpc.ts";
import { demand, NotRun } from "../../../check.ts";
import type { Bench, Check } from "../means.ts";
import { type ContextFile, contextsOf, filesOf, focused, opened, untilReported } from "./shape.ts";

/** Moves the cursor and waits until a context reports it. */
async function expectCursor(bench: Bench, file: string, line: number, character: number): Promise<void> {
  const { wire, editor, limits } = bench;
  const session = await wire.connect();
  await editor.open(file, line, character);
  const isThere = (files: readonly ContextFile[]) => {
    const cursor = focused(file)(files)?.cursor;
    return (isJson(cursor) && cursor.line === line && cursor.character === character) || undefined;
  };
  await untilReported(session, `line ${line}, character ${character} of ${file}`, isThere, limits.event);
}

export const cursor: Check = {
  id: "cursor",
  title: "the cursor's line and character count from 1",
  requirements: ["C5"],
  lane: "editor",
  needs: ["editor-command"],
  async run(bench) {
    const file = await bench.write("cursor.txt", "first\nsecond\nthird\n");
    await expectCursor(bench, file, 3, 4);
    await expectCursor(bench, file, 1, 1);
  },
};

export const utf16: Check = {
  id: "utf-16",
  title: "a character is a UTF-16 unit",
  requirements: ["C6"],
  lane: "editor",
  needs: ["editor-command"],
  async run(bench) {
    // The x is byte 9, code point 4 and unit 5, each counted from 1.
    const file = await bench.write("utf16.txt", "é\t😀x\n");
    await expectCursor(bench, file, 1, 5);
  },
};

const selectionOf = (file: string) => (files: readonly ContextFile[]) => {
  const text = focused(file)(files)?.selectedText;
  return typeof text === "string" && text !== "" ? text : undefined;
};

/** Selects from the beginning of a file and waits for it in a context; contexts on the way do not count. */
async function selection(
  { wire, editor, limits }: Bench,
  file: string,
  to: { line: number; column: number },
) {
  const session = await wire.connect();
  await editor.select(file, { line: 1, column: 1 }, to);
  await session.stream.listen(limits.quiet);
  return {
    session,
    text: await untilReported(session, `a selection in ${file}`, selectionOf(file), limits.event),
  };
}

export const selectedText: Check = {
  id: "selected-text",
  title: "the selected text is sent unchanged",
  requirements: ["C7"],
  lane: "editor",
  needs: ["editor-command"],
  async run({ wire, editor, write, limits }) {
    const file = await write("selected.txt", "first line\nsecond line\n");
    const session = await wire.connect();
    await editor.select(file, { line: 1, column: 3 }, { line: 2, column: 4 });
    const wanted = "rst line\nsec";
    const isSelected = (files: readonly ContextFile[]) => selectionOf(file)(files) === wanted || undefined;
    await untilReported(session, `the selection ${JSON.stringify(wanted)}`, isSelected, limits.event);
  },
};

export const staleSelection: Check = {
  id: "stale-selection",
  title: "a selection that ends is removed",
  requirements: ["C8"],
  lane: "editor",
  needs: ["editor-command"],
  async run(bench) {
    const file = await bench.write("stale.txt", "first line\nsecond line\n");
    const { session } = await selection(bench, file, { line: 1, column: 6 });
    await bench.editor.open(file, 2, 1);
    const none = (files: readonly ContextFile[]) => {
      const found = focused(file)(files);
      return found && (found.selectedText === undefined || found.selectedText === "") ? found : undefined;
    };
    await untilReported(session, `that nothing is selected in ${file}`, none, bench.limits.event);
  },
};

const longest = 16_384;

export const longSelection: Check = {
  id: "long-selection",
  title: "at most 16 384 characters of a selection are sent",
  requirements: ["C14"],
  lane: "editor",
  needs: ["editor-command"],
  async run(bench) {
    const file = await bench.write("long.txt", `${"x".repeat(99)}\n`.repeat(200));
    const { text } = await selection(bench, file, { line: 200, column: 100 });
    demand(text.length <= longest, `${text.length} characters of 19 999 were sent`);
  },
};

export const wholeCharacters: Check = {
  id: "whole-characters",
  title: "a selection is not cut within a character",
  requirements: ["C15"],
  lane: "editor",
  needs: ["editor-command"],
  async run(bench) {
    // A line has 102 units with its end: a cut at 16 384 splits a pair.
    const file = await bench.write("pairs.txt", `x${"😀".repeat(50)}\n`.repeat(200));
    const { text } = await selection(bench, file, { line: 200, column: 102 });
    const isWhole = text.isWellFormed() && !text.includes("\uFFFD");
    demand(isWhole, `${text.length} units were sent, and they end in ${JSON.stringify(text.slice(-3))}`);
  },
};

const lines = 30;

/** Moves down a file. @returns the lines that contexts reported, in order, and the milliseconds that it took */
async function swept({ wire, editor, write, limits }: Bench) {
  const file = await write("sweep.txt", "line\n".repeat(lines));
  const session = await wire.connect();
  await opened({ editor, limits }, session, file);
  const before = contextsOf(session).length;
  const started = performance.now();
  await editor.sweep(file, 1, lines);
  const milliseconds = performance.now() - started;
  const isDown = (files: readonly ContextFile[]) => lineOf(focused(file)(files)) === lines || undefined;
  await untilReported(session, `line ${lines} of ${file}`, isDown, limits.event);
  const reported = contextsOf(session)
    .slice(before)
    .map((context) => lineOf(focused(file)(filesOf(context))));
  return { reported, milliseconds };
}

const lineOf = (file: ContextFile | undefined) => (isJson(file?.cursor) ? file.cursor.line : undefined);

export const debounce: Check = {
  id: "debounce",
  title: "not every movement of the cursor leads to a context",
  requirements: ["C16"],
  lane: "editor",
  needs: ["editor-command"],
  async run(bench) {
    const { reported, milliseconds } = await swept(bench);
    const most = Math.ceil(milliseconds / 45) + 3;
    bench.note(`${lines} movements in ${Math.round(milliseconds)} ms, ${reported.length} contexts.`);
    demand(
      reported.length <= most,
      `${lines} movements in ${Math.round(milliseconds)} ms led to ${reported.length} contexts, more than one each 50 ms`,
    );
  },
};

export const starvation: Check = {
  id: "starvation",
  title: "while the cursor keeps moving, contexts still come",
  requirements: ["C17"],
  lane: "editor",
  needs: ["editor-command"],
  async run(bench) {
    const { reported, milliseconds } = await swept(bench);
    if (milliseconds < 500)
      throw new NotRun(`the editor command had finished after ${Math.round(milliseconds)} ms`);
    const between = reported.filter((line) => typeof line === "number" && line > 1 && line < lines);
    bench.note(`Lines reported while it moved: ${between.join(", ")}`);
    demand(between.length > 0, `no context came in ${Math.round(milliseconds)} ms of movement`);
  },
};
