import { setTimeout as delay } from "node:timers/promises";
import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";
import { Broken, byUser, demand, demandNone, until } from "../../check.ts";
import { demandInTime, hasRange } from "../../diagnostics.ts";
import { problemsOfRange, selected, selectIn, selectionOf, text } from "../../selection.ts";
import { type ClaudeCheck, closeTab, proposeAndShow } from "./means.ts";

const focus: ClaudeCheck = {
  id: "focus",
  title: "a file that gets the focus is named, without a text",
  requirements: ["CC1"],
  ...byUser,
  async run(means) {
    const cli = await means.connect();
    const path = await means.write("focus.txt", text);
    await means.editor.open(path, 2, 1);
    const { text: sent } = await selectionOf(cli, means, ({ filePath }) => filePath === path);
    demand(sent === "", `text is ${JSON.stringify(sent)}, not empty`);
  },
};

const selection: ClaudeCheck = {
  id: "selection",
  title: "a selected text is sent with its range",
  requirements: ["CC2"],
  ...byUser,
  async run(means) {
    const cli = await means.connect();
    const path = await means.write("selection.txt", text);
    await selectIn(means.editor, path);
    const sent = await selectionOf(
      cli,
      means,
      (params) => params.filePath === path && params.text === selected,
    );
    demandNone(problemsOfRange(sent));
  },
};

/** Milliseconds after a list for which the CLI hears no selection. */
const deaf = 200;

const sentAgain: ClaudeCheck = {
  id: "sent-again",
  title: "the selection is sent again after each list of tools",
  requirements: ["CC3"],
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
};

const cleared: ClaudeCheck = {
  id: "cleared",
  title: "a selection that is no more is cleared",
  requirements: ["CC4"],
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
    demand(isCleared || isAnother, `after its file was closed there came ${JSON.stringify(next)}`);
  },
};

const everyCli: ClaudeCheck = {
  id: "every-cli",
  title: "every connected CLI gets the selection",
  requirements: ["CC5"],
  ...byUser,
  async run(means) {
    const clis = [await means.connect(), await means.connect()];
    const path = await means.write("every.txt", text);
    await means.editor.open(path, 1, 1);
    for (const cli of clis) await selectionOf(cli, means, ({ filePath }) => filePath === path);
  },
};

const mention: ClaudeCheck = {
  id: "mention",
  title: "a mention goes to one CLI, with lines from 0",
  requirements: ["CC6"],
  ...byUser,
  async run(means) {
    const clis = [await means.connect(), await means.connect()];
    const path = await means.write("mention.txt", text);
    await means.editor.open(path, 1, 1);
    await means.editor.mention(path, 2, 3);
    const all = () => clis.flatMap((cli) => cli.of("at_mentioned"));
    await until(() => all().length > 0, means.limits.event);
    await delay(means.limits.quiet);
    const [first, ...others] = all();
    demand(first !== undefined, `no at_mentioned within ${means.limits.event} ms`);
    demand(others.length === 0, `at_mentioned went to ${others.length + 1} CLIs`);
    const { filePath, lineStart, lineEnd } = first.params;
    const isRight = filePath === path && lineStart === 1 && lineEnd === 2;
    demand(isRight, `at_mentioned has ${JSON.stringify(first.params)}, not lines 1 to 2 of ${path}`);
  },
};

const toUri = (path: string) => `file://${path}`;

/** The list in an answer. @throws Broken when there is none */
function listIn(answer: readonly string[]): readonly Json[] {
  const list = parseJson(answer[0] ?? "");
  if (!Array.isArray(list) || !list.every(isJson))
    throw new Broken(`the text is no list: ${answer[0]?.slice(0, 200)}`);
  return list;
}

const diagnosticsList: ClaudeCheck = {
  id: "diagnostics-list",
  title: "getDiagnostics is answered with a list",
  requirements: ["CG1"],
  lane: "wire",
  async run({ connect, write }) {
    const cli = await connect();
    for (const input of [{ uri: toUri(await write("list.txt", text)) }, {}]) {
      for (const { uri, diagnostics } of listIn(await cli.texts("getDiagnostics", input))) {
        demand(typeof uri === "string", `uri is ${JSON.stringify(uri)}`);
        demand(Array.isArray(diagnostics), `diagnostics is ${JSON.stringify(diagnostics)}`);
      }
    }
  },
};

const diagnosticsTime: ClaudeCheck = {
  id: "diagnostics-time",
  title: "diagnostics are there in time, also while a diff is open",
  requirements: ["CG2"],
  lane: "proposals",
  async run(means) {
    const cli = await means.connect();
    const path = await means.write("time.txt", text);
    const proposal = await proposeAndShow(means, cli, path, "other\n");
    await demandInTime(means.limits, toUri(path), (input) => cli.texts("getDiagnostics", input));
    await closeTab(cli, proposal.tab);
  },
};

const severities: readonly unknown[] = ["Error", "Warning", "Info", "Hint"];

const diagnosticsForm: ClaudeCheck = {
  id: "diagnostics-form",
  title: "diagnostics have the form that the CLI reads",
  requirements: ["CG3"],
  ...byUser,
  async run(means) {
    const cli = await means.connect();
    const path = await means.write("a ü 100%.json", "{,}\n");
    await means.editor.open(path, 1, 1);
    const uri = toUri(path);
    const list = listIn(await cli.texts("getDiagnostics", { uri }));
    const problems = list.flatMap((entry) => [
      ...(entry.uri === uri ? [] : [`uri is ${JSON.stringify(entry.uri)}, not ${JSON.stringify(uri)}`]),
      ...(Array.isArray(entry.diagnostics) ? entry.diagnostics : []).flatMap(problemsOf),
    ]);
    demandNone(problems);
  },
};

function problemsOf(diagnostic: unknown): string[] {
  if (!isJson(diagnostic)) return [`a diagnostic is ${JSON.stringify(diagnostic)}`];
  const { message, severity, range } = diagnostic;
  return [
    ...(typeof message === "string" ? [] : ["a diagnostic has no message"]),
    ...(severities.includes(severity) ? [] : [`severity is ${JSON.stringify(severity)}`]),
    ...(hasRange(diagnostic) ? [] : [`range is ${JSON.stringify(range)}`]),
  ];
}

export const contextChecks: readonly ClaudeCheck[] = [
  focus,
  selection,
  sentAgain,
  cleared,
  everyCli,
  mention,
];
export const diagnosticsChecks: readonly ClaudeCheck[] = [diagnosticsList, diagnosticsTime, diagnosticsForm];
