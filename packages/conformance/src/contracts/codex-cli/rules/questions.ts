import { mkdir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../until.ts";
import { isJson, type Json } from "../../../wire/json-rpc.ts";
import { byUser, demand, demandNone, quote, unless } from "../../check.ts";
import { isRange, isText, optional, problemsOfFields } from "../../fields.ts";
import { observed, recommended } from "../../requirement.ts";
import { text } from "../../selection.ts";
import { contexts, selections } from "../faults.ts";
import type { CodexGroup, Means } from "../target/socket.ts";
import { contextOf, question } from "../wire/ipc.ts";

const contextNow = async (means: Means): Promise<Json> => contextOf(await means.ask(question(means.root)));

/** Asks until the context is as it should be. @returns the last one */
async function contextWhen(means: Means, isSo: (context: Json) => boolean): Promise<Json> {
  let context: Json = {};
  await until(
    async () => {
      context = await contextNow(means);
      return isSo(context);
    },
    means.limits.event,
    50,
  );
  return context;
}

const activeOf = ({ activeFile }: Json): Json => (isJson(activeFile) ? activeFile : {});

export const questionsRules: CodexGroup = {
  XQ1: {
    MUST: '`ide-context` is answered with `type: "response"`, the same `requestId`, `resultType: "success"` and `result.ideContext`.',
    sources: observed("The CLI asks before each message while `/ide` is on, by a new connection."),
    check: "answered",
    async run(means) {
      const response = await means.ask(question(means.root));
      contextOf(response);
      demand(response.type === "response", `its type is ${quote(response.type)}`);
    },
    fault: {
      down: (message) => ({ ...message, resultType: "error", error: "request-version-mismatch" }),
      says: /answered with .*request-version-mismatch/,
    },
  },
  XQ2: {
    MUST: "`activeFile` is null, or has a `label`, a `path` and a `selection` whose lines and characters are whole numbers from 0; `openTabs` is a list.",
    sources: observed("For any other shape the CLI drops the whole context."),
    check: "shape",
    ...byUser,
    async run(means) {
      await means.editor.open(await means.write("shape.txt", text), 2, 3);
      const { activeFile, openTabs } = await contextWhen(means, (one) => isJson(one.activeFile));
      demand(isJson(activeFile), `activeFile is ${quote(activeFile)} with a file in front`);
      demandNone([
        ...problemsOfFields(activeFile, { label: isText, path: isText, selection: isRange }),
        ...problemsOfFields({ openTabs }, { openTabs: Array.isArray }),
      ]);
    },
    fault: { down: selections(() => null), says: /selection is null/ },
  },
  XQ3: {
    MUST: "`activeFile` is the file that has the focus, with the selected text in `activeSelectionContent` and its range in `selection`.",
    sources: observed("The CLI puts the path and the text before the user's message."),
    check: "selection",
    ...byUser,
    async run(means) {
      const file = await means.write("selection.txt", text);
      await means.editor.select(file, { line: 2, column: 8 }, { line: 2, column: 15 });
      const context = await contextWhen(means, (one) => activeOf(one).activeSelectionContent === "😀 line");
      const active = activeOf(context);
      const { selection: range } = active;
      const expected = { start: { line: 1, character: 7 }, end: { line: 1, character: 14 } };
      const found = isJson(range) ? { start: range.start, end: range.end } : range;
      demandNone([
        ...problemsOfFields(active, {
          activeSelectionContent: "😀 line",
          label: basename(file),
          path: (path) => [file, relative(means.root, file)].includes(String(path)),
          fsPath: optional((path) => path === file),
        }),
        ...unless(
          JSON.stringify(found) === JSON.stringify(expected),
          `selection is ${quote(found)}, not ${quote(expected)}`,
        ),
      ]);
    },
    fault: {
      down: selections(({ line, character }, end) => ({ start: { line: Number(line) + 1, character }, end })),
      says: /selection is \{"start":\{"line":2,"character":7\}/,
    },
  },
  XQ4: {
    SHOULD:
      "Without a selection, `selection` is empty and at the cursor, and `activeSelectionContent` is empty.",
    sources: observed("Then the CLI names the active file alone."),
    check: "cursor",
    ...byUser,
    async run(means) {
      const file = await means.write("cursor.txt", text);
      await means.editor.open(file, 3, 3);
      const place = { line: 2, character: 2 };
      const expected = JSON.stringify([place, place]);
      const rangeOf = ({ selection: range }: Json) =>
        JSON.stringify(isJson(range) ? [range.start, range.end] : range);
      const context = await contextWhen(means, (one) => {
        const active = activeOf(one);
        return active.label === basename(file) && rangeOf(active) === expected;
      });
      const active = activeOf(context);
      const { activeSelectionContent = "" } = active;
      demandNone([
        ...unless(
          activeSelectionContent === "",
          `activeSelectionContent is ${quote(activeSelectionContent)}`,
        ),
        ...unless(rangeOf(active) === expected, `selection is ${rangeOf(active)}, not empty at ${expected}`),
      ]);
    },
    fault: {
      down: selections((start, { line }) => ({ start, end: { line: Number(line) + 1, character: 0 } })),
      says: /not empty at \[\{"line":2,"character":2\}/,
    },
  },
  XQ5: {
    SHOULD: "`openTabs` has the open files.",
    sources: observed("The CLI lists them before the user's message."),
    check: "tabs",
    ...byUser,
    async run(means) {
      const files = [await means.write("one.txt", text), await means.write("two.txt", text)];
      for (const file of files) await means.editor.open(file, 1, 1);
      const labelsOf = ({ openTabs }: Json) =>
        Array.isArray(openTabs) ? openTabs.map((tab: unknown) => (isJson(tab) ? tab.label : undefined)) : [];
      const hasAll = (context: Json) => files.every((file) => labelsOf(context).includes(basename(file)));
      const context = await contextWhen(means, hasAll);
      demand(hasAll(context), `openTabs has ${quote(labelsOf(context))}`);
    },
    fault: { down: contexts((context) => ({ ...context, openTabs: [] })), says: /openTabs has \[\]/ },
  },
  XQ6: {
    MUST: "A question about an open folder, or one below it, is answered; one about another folder gets the error `no-client-found`.",
    sources: observed(
      "`workspaceRoot` is the CLI's folder by its real path. For this error the CLI has a sentence.",
    ),
    check: "folders",
    async run(means) {
      const below = means.path("below");
      await mkdir(below, { recursive: true });
      contextOf(await means.ask(question(below)));
      for (const folder of [`${means.root}-2`, join(means.root, "..", "elsewhere")]) {
        const { resultType, error } = await means.ask(question(folder));
        demand(
          resultType === "error" && error === "no-client-found",
          `for ${folder} the answer is ${resultType}, ${quote(error)}`,
        );
      }
    },
    fault: {
      down: (message) =>
        message.error === "no-client-found" ? { ...message, resultType: "success" } : message,
      says: /-2 the answer is success/,
    },
  },
  XQ7: {
    MUST: "The answer is there within half a second.",
    sources: observed("The user's message waits for it. After 5 s the CLI sends it without the context."),
    check: "in-time",
    async run(means) {
      const limit = 500 * Math.max(1, means.limits.answer / 5000); // the patience that was asked for
      const times: number[] = [];
      for (let count = 0; count < 9; count += 1) {
        const started = performance.now();
        await contextNow(means);
        times.push(Math.round(performance.now() - started));
      }
      // One may be late on a busy machine.
      const median = times.sort((one, other) => one - other)[4] ?? 0;
      demand(median <= limit, `answers took ${times.join(", ")} ms, most more than ${limit}`);
    },
    fault: { down: (message) => delay(900, message), says: /answers took .* ms, most more than 500/ },
  },
  XQ8: {
    SHOULD: "`initialize` is answered with a `clientId`.",
    sources: observed("Older versions ask this first."),
    check: "introduction",
    async run(means) {
      const client = await means.connect();
      await client.initialize(means.limits.answer);
      contextOf(await client.ask(question(means.root), means.limits.answer));
    },
    fault: {
      up: (message) => (message?.method === "initialize" ? undefined : message),
      says: /no response within/,
    },
  },
  XQ9: {
    SHOULD: "A question of another `version` is answered with an error.",
    sources: recommended("What it expects is not known."),
    check: "other-version",
    async run(means) {
      const { resultType } = await means.ask(question(means.root, 99));
      demand(resultType === "error", `version 99 was answered with ${quote(resultType)}`);
    },
    fault: {
      up: (message) => message && { ...message, version: 0 },
      says: /version 99 was answered with "success"/,
    },
  },
};
