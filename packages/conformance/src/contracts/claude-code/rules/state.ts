import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";
import { Broken, byUser, demand, demandNone, quote, unless } from "../../check.ts";
import { inTime } from "../../diagnostics.ts";
import { changing, inputOf, saying, toEveryOne } from "../../fault.ts";
import { isRange, isText, problemsOfFields } from "../../fields.ts";
import { observed } from "../../requirement.ts";
import { mention, selectionChecks, selectionOf, text } from "../../selection.ts";
import type { Cli } from "../wire/cli.ts";
import { type ClaudeGroup, proposeAndShow } from "./means.ts";

/** Milliseconds after a list for which the CLI hears no selection. */
const deaf = 200;

const toUri = (path: string) => `file://${path}`;

/** The list in an answer. @throws Broken when there is none */
function listIn(answer: readonly string[]): readonly Json[] {
  const list = parseJson(answer[0] ?? "");
  if (!Array.isArray(list) || !list.every(isJson))
    throw new Broken(`the text is no list: ${answer[0]?.slice(0, 200)}`);
  return list;
}

const severities: readonly unknown[] = ["Error", "Warning", "Info", "Hint"];

function problemsOf(diagnostic: unknown): readonly string[] {
  if (!isJson(diagnostic)) return [`a diagnostic is ${quote(diagnostic)}`];
  const isSeverity = (value: unknown) => severities.includes(value);
  return problemsOfFields(diagnostic, { message: isText, severity: isSeverity, range: isRange });
}

const selection = selectionChecks<Cli>();

export const contextRules: ClaudeGroup = {
  CC1: {
    MUST: "When a file gets the focus, `selection_changed` names it in `filePath`, with an empty `text`.",
    sources: observed("The prompt shows the file, and the model hears of it once."),
    check: "focus",
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      const path = await means.write("focus.txt", text);
      await means.editor.open(path, 2, 1);
      const { text: sent } = await selectionOf(cli, means, ({ filePath }) => filePath === path);
      demand(sent === "", `text is ${quote(sent)}, not empty`);
    },
    fault: {
      down: changing("selection_changed", (params) => ({ ...params, text: params.text || "a word" })),
      says: /text is "a word", not empty/,
    },
  },
  CC2: {
    MUST: "When a text is selected, `selection_changed` has it in `text`, and its range in `selection`: `start` and `end`, each with `line` and `character` from 0, and `isEmpty`.",
    sources: observed("The prompt shows the number of lines, and the model gets their numbers and the text."),
    ...selection.one,
  },
  CC3: {
    MUST: "The present selection is sent again some 300 ms after each `tools/list` of a connection.",
    sources: observed(
      "What is sent within 200 ms after it is lost, and a new connection knows no selection.",
    ),
    check: "sent-again",
    ...byUser,
    async run(means) {
      const path = await means.write("again.txt", text);
      await means.editor.open(path, 1, 1);
      const cli = await means.connect();
      for (const what of ["a handshake", "another list"]) {
        const names = ({ filePath }: Json) => filePath === path;
        await selectionOf(cli, means, names, cli.listedAt + deaf).catch(() => {
          throw new Broken(`after ${what} the selection does not come again once the CLI listens`);
        });
        await cli.list();
      }
    },
    fault: {
      down(message, { memory }) {
        if (message.method !== "selection_changed") return message;
        const text = JSON.stringify(message);
        const isNew = memory.get("last") !== text;
        memory.set("last", text);
        return isNew ? message : undefined;
      },
      says: /after .* the selection does not come again/,
    },
  },
  CC4: {
    SHOULD: "When no file has the focus any more, `selection_changed` has an empty `text` and no `filePath`.",
    sources: observed("It clears the prompt. With `selection: null` the message is ignored."),
    check: "cleared",
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      const path = await means.write("cleared.txt", text);
      await means.editor.open(path, 1, 1);
      await selectionOf(cli, means, ({ filePath }) => filePath === path);
      const since = performance.now();
      await means.editor.close(path);
      const next = await selectionOf(cli, means, ({ filePath }) => filePath !== path, since);
      const isCleared = next.filePath === undefined && next.text === "" && next.selection !== null;
      const isAnother = typeof next.filePath === "string" && next.filePath !== "";
      demand(isCleared || isAnother, `after its file was closed there came ${quote(next)}`);
    },
    fault: {
      down: changing("selection_changed", (params) => (params.filePath === undefined ? undefined : params)),
      says: /no such selection_changed within/,
    },
  },
  CC5: {
    MUST: "Every connected CLI gets the selection.",
    sources: observed("Each has its own prompt."),
    ...selection.every,
  },
  CC6: {
    MUST: "`at_mentioned` with `filePath`, `lineStart` and `lineEnd` (from 0) goes to one CLI.",
    sources: observed("It types the file into the prompt: of every CLI that gets it."),
    check: "mention",
    ...byUser,
    async run(means) {
      const { path, sent } = await mention(means, "at_mentioned");
      demandNone(problemsOfFields(sent, { filePath: path, lineStart: 1, lineEnd: 2 }));
    },
    fault: {
      down: toEveryOne("at_mentioned"),
      says: /at_mentioned went to 2 CLIs/,
    },
  },
};

export const diagnosticsRules: ClaudeGroup = {
  CG1: {
    MUST: "`getDiagnostics` is answered with a text: the JSON of a list of `{uri, diagnostics}`. An editor that knows nothing answers an empty list.",
    sources: observed(
      "The CLI compares the lists from before and after its write, and tells the model what is new.",
    ),
    check: "diagnostics-list",
    async run({ connect, write }) {
      const cli = await connect();
      for (const input of [{ uri: toUri(await write("list.txt", text)) }, {}]) {
        for (const { uri, diagnostics } of listIn(await cli.texts("getDiagnostics", input))) {
          demand(typeof uri === "string", `uri is ${quote(uri)}`);
          demand(Array.isArray(diagnostics), `diagnostics is ${quote(diagnostics)}`);
        }
      }
    },
    fault: {
      down: saying("getDiagnostics", () => ["none"]),
      says: /the text is no list: none/,
    },
  },
  CG2: {
    MUST: "For one `uri` the answer comes within 500 ms, and for all files within 2 s, also while a diff is open.",
    sources: observed("Every edit is held up until the answer comes, or until these limits pass."),
    ...inTime<Cli>({
      tool: "getDiagnostics",
      ask: (cli, input) => cli.texts("getDiagnostics", input),
      toUri,
      proposeAndShow,
    }),
  },
  CG3: {
    MUST: "A `uri` is `file://` and the path as it is, without percent-encoding; each diagnostic has `message`, `severity` (`Error`, `Warning`, `Info` or `Hint`) and a `range` from 0.",
    sources: observed("It is the form that the CLI uses for spaces, umlauts and percent signs, too."),
    check: "diagnostics-form",
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      const path = await means.write("a ü 100%.json", "{,}\n");
      await means.editor.open(path, 1, 1);
      const uri = toUri(path);
      const list = listIn(await cli.texts("getDiagnostics", { uri }));
      const problems = list.flatMap((entry) => [
        ...unless(entry.uri === uri, `uri is ${quote(entry.uri)}, not ${quote(uri)}`),
        ...(Array.isArray(entry.diagnostics) ? entry.diagnostics : []).flatMap(problemsOf),
      ]);
      demandNone(problems);
    },
    fault: {
      down: saying("getDiagnostics", (asked) => [
        JSON.stringify([{ uri: encodeURI(inputOf(asked).uri ?? ""), diagnostics: [] }]),
      ]),
      says: /uri is ".*%20.*", not /,
    },
  },
};
