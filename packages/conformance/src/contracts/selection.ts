import { setTimeout as delay } from "node:timers/promises";
import type { Limits } from "../run/subject.ts";
import type { EditorHook } from "../target/editor-hook.ts";
import { until } from "../until.ts";
import { isJson, type Json } from "../wire/json-rpc.ts";
import { Broken, byUser, demand, demandNone, quote, unless } from "./check.ts";
import { changing, toLastAlone } from "./fault.ts";
import type { Connecting } from "./question.ts";

/** A file of which checks select a part. */
export const text = "first line\nsecond 😀 line\nthird line\n";

/** That part, and where a protocol has it: columns in UTF-16 units. */
export const selected = "😀 line\nthird";
const range = { start: { line: 1, character: 7 }, end: { line: 2, character: 5 } };

/** Opens such a file, and selects that part. */
export async function selectIn(editor: EditorHook, path: string): Promise<void> {
  await editor.open(path, 1, 1);
  await editor.select(path, { line: 2, column: 8 }, { line: 3, column: 6 });
}

/** A CLI, as far as it listens. */
interface Listening {
  of(method: string, since?: number): readonly { readonly params: Json }[];
}

/** The newest selection that fits, among those that came since. @throws Broken when none comes in time */
export async function selectionOf(
  cli: Listening,
  { limits }: { readonly limits: Limits },
  fits: (params: Json) => boolean,
  since = 0,
): Promise<Json> {
  const all = () => cli.of("selection_changed", since);
  const find = () => all().findLast(({ params }) => fits(params));
  const found = await until(find, limits.event);
  if (found) return found.params;
  const last = JSON.stringify(all().at(-1)?.params);
  throw new Broken(`no such selection_changed within ${limits.event} ms; the last is ${last}`);
}

/**
 * Puts lines 2 and 3 of a file into the prompt of a CLI.
 * @returns the file, and what one CLI alone hears of it
 * @throws Broken when none or several of them hear of it
 */
export async function mention<Cli extends Listening>(means: Connecting<Cli>, method: string) {
  const { editor, limits } = means;
  const clis = [await means.connect(), await means.connect()];
  const path = await means.write("mention.txt", text);
  await editor.open(path, 1, 1);
  await editor.mention(path, 2, 3);
  const all = () => clis.flatMap((cli) => cli.of(method));
  await until(() => all().length > 0, limits.event);
  await delay(limits.quiet);
  const [first, ...others] = all();
  demand(first !== undefined, `no ${method} within ${limits.event} ms`);
  demand(others.length === 0, `${method} went to ${others.length + 1} CLIs`);
  return { path, sent: first.params };
}

/** What is wrong with the range of that part. */
export function problemsOfRange({ selection }: Json): string[] {
  const got = isJson(selection) ? selection : {};
  const sides = (["start", "end"] as const).flatMap((side) => {
    const place = isJson(got[side]) ? got[side] : {};
    const { line, character } = range[side];
    if (place.line === line && place.character === character) return [];
    return [`${side} is ${quote(got[side])}, not line ${line}, character ${character}`];
  });
  return [...sides, ...unless(got.isEmpty === false, `isEmpty is ${got.isEmpty}, not false`)];
}

/** What proves that every CLI gets what the user selects. @param moreProblemsOf the news, besides its range */
export const selectionChecks = <Cli extends Listening>(
  moreProblemsOf: (sent: Json, path: string) => readonly string[] = () => [],
) => ({
  one: {
    check: "selection",
    ...byUser,
    async run(means: Connecting<Cli>) {
      const cli = await means.connect();
      const path = await means.write("selection.txt", text);
      await selectIn(means.editor, path);
      const isIt = (params: Json) => params.filePath === path && params.text === selected;
      const sent = await selectionOf(cli, means, isIt);
      demandNone([...problemsOfRange(sent), ...moreProblemsOf(sent, path)]);
    },
    fault: {
      down: changing("selection_changed", (params) => ({
        ...params,
        selection: { ...Object(params.selection), start: { line: 2, character: 7 } },
      })),
      says: /start is \{"line":2,"character":7\}, not line 1, character 7/,
    },
  },
  every: {
    check: "every-cli",
    ...byUser,
    async run(means: Connecting<Cli>) {
      const clis = [await means.connect(), await means.connect()];
      const path = await means.write("every.txt", text);
      await selectIn(means.editor, path);
      for (const cli of clis) await selectionOf(cli, means, ({ filePath }) => filePath === path);
    },
    fault: {
      down: toLastAlone("selection_changed"),
      says: /no such selection_changed within/,
    },
  },
});
