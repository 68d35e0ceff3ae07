import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isJson, type Json } from "../../../wire/json-rpc.ts";
import { Broken, byUser, demand, demandNone, until } from "../../check.ts";
import { demandInTime, hasRange } from "../../diagnostics.ts";
import { problemsOfRange, selected, selectIn, selectionOf, text } from "../../selection.ts";
import type { Cli } from "../cli.ts";
import { type CopilotCheck, closeDiff, type Means, proposeAndShow } from "./means.ts";

/** What is wrong with the range and the names of a selection. */
function problemsOf(sent: Json, path: string): string[] {
  const { filePath, fileUrl } = sent;
  const url = pathToFileURL(path).href;
  return [
    ...problemsOfRange(sent),
    ...(filePath === path ? [] : [`filePath is ${JSON.stringify(filePath)}, not ${path}`]),
    ...(fileUrl === url ? [] : [`fileUrl is ${JSON.stringify(fileUrl)}, not ${url}`]),
  ];
}

/** Selects two lines of a new file. @returns its path */
async function select({ editor, write }: Means, name: string): Promise<string> {
  const path = await write(name, text);
  await selectIn(editor, path);
  return path;
}

export const contextChecks: readonly CopilotCheck[] = [
  {
    id: "selection",
    title: "a selected text is sent with its range",
    requirements: ["PC1"],
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      const path = await select(means, "selection.txt");
      const sent = await selectionOf(
        cli,
        means,
        (params) => params.filePath === path && params.text === selected,
      );
      demandNone(problemsOf(sent, path));
    },
  },
  {
    id: "sent-at-once",
    title: "a CLI that connects gets the selection at once",
    requirements: ["PC2"],
    ...byUser,
    async run(means) {
      const path = await select(means, "at-once.txt");
      // Another one that has it knows that the companion has it.
      await selectionOf(await means.connect(), means, (params) => params.filePath === path).catch(() => {});
      await selectionOf(await means.connect(), means, ({ filePath }) => filePath === path);
    },
  },
  {
    id: "deselected",
    title: "an empty selection is sent when nothing is selected any more",
    requirements: ["PC3"],
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      const path = await select(means, "deselected.txt");
      await selectionOf(cli, means, (params) => params.text === selected);
      const since = performance.now();
      await means.editor.open(path, 1, 1);
      const isEmpty = ({ text: now, selection, filePath, fileUrl }: Json) =>
        now === "" && isJson(selection) && selection.isEmpty === true && filePath === path && fileUrl !== "";
      await selectionOf(cli, means, isEmpty, since);
    },
  },
  {
    id: "cleared",
    title: "the selection of a file that is closed is cleared",
    requirements: ["PC4"],
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      const path = await select(means, "cleared.txt");
      await selectionOf(cli, means, (params) => params.filePath === path && params.text === selected);
      const since = performance.now();
      await means.editor.close(path);
      const isOver = (params: Json) => params.filePath !== path || params.text === "";
      const { filePath, fileUrl } = await selectionOf(cli, means, isOver, since);
      const isWhole = typeof filePath === "string" && typeof fileUrl === "string";
      demand(isWhole, `filePath is ${JSON.stringify(filePath)} and fileUrl ${JSON.stringify(fileUrl)}`);
    },
  },
  {
    id: "every-cli",
    title: "every connected CLI gets the selection",
    requirements: ["PC5"],
    ...byUser,
    async run(means) {
      const clis = [await means.connect(), await means.connect()];
      const path = await select(means, "every.txt");
      for (const cli of clis) await selectionOf(cli, means, ({ filePath }) => filePath === path);
    },
  },
  {
    id: "mention",
    title: "a reference goes to one CLI, with lines from 0",
    requirements: ["PC6"],
    ...byUser,
    async run(means) {
      const clis = [await means.connect(), await means.connect()];
      const path = await means.write("mention.txt", text);
      await means.editor.open(path, 1, 1);
      await means.editor.mention(path, 2, 3);
      const all = () => clis.flatMap((cli) => cli.of("add_file_reference"));
      await until(() => all().length > 0, means.limits.event);
      await delay(means.limits.quiet);
      const [first, ...others] = all();
      demand(first !== undefined, `no add_file_reference within ${means.limits.event} ms`);
      demand(others.length === 0, `add_file_reference went to ${others.length + 1} CLIs`);
      const { filePath, fileUrl, selection, selectedText } = first.params;
      const lineOf = (side: "start" | "end") => {
        const place = isJson(selection) ? selection[side] : undefined;
        return isJson(place) ? place.line : undefined;
      };
      demandNone([
        ...(filePath === path ? [] : [`filePath is ${JSON.stringify(filePath)}, not ${path}`]),
        ...(typeof fileUrl === "string" ? [] : [`fileUrl is ${JSON.stringify(fileUrl)}`]),
        ...(lineOf("start") === 1 && lineOf("end") === 2
          ? []
          : [`selection is ${JSON.stringify(selection)}, not lines 1 to 2`]),
        ...(selectedText === null || typeof selectedText === "string"
          ? []
          : [`selectedText is ${JSON.stringify(selectedText)}`]),
      ]);
    },
  },
  {
    id: "get-selection",
    title: "get_selection is answered with the selected text",
    requirements: ["PC7"],
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      const path = await select(means, "get-selection.txt");
      let answer: unknown;
      await until(async () => {
        answer = await cli.call("get_selection", {});
        return isJson(answer) && answer.text === selected;
      }, means.limits.event);
      demand(isJson(answer) && answer.text === selected, `it was answered ${JSON.stringify(answer)}`);
      demandNone([
        ...problemsOf(answer, path),
        ...(typeof answer.current === "boolean" ? [] : [`current is ${JSON.stringify(answer.current)}`]),
      ]);
    },
  },
];

/** @throws Broken when there is none */
async function diagnosticsOf(cli: Cli, input: object): Promise<readonly Json[]> {
  const list = await cli.call("get_diagnostics", input);
  if (!Array.isArray(list) || !list.every(isJson))
    throw new Broken(`the text is no list: ${JSON.stringify(list)?.slice(0, 200)}`);
  return list;
}

const severities: readonly unknown[] = ["Error", "Warning", "Information", "Hint"];

export const diagnosticsChecks: readonly CopilotCheck[] = [
  {
    id: "diagnostics-list",
    title: "get_diagnostics is answered with a list",
    requirements: ["PG1"],
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      const path = await means.write("a ü 100%.json", "{,}\n");
      await means.editor.open(path, 1, 1);
      const uri = pathToFileURL(path).href;
      const list = [...(await diagnosticsOf(cli, { uri })), ...(await diagnosticsOf(cli, {}))];
      demandNone(list.flatMap(problemsOfFile));
      const [first] = await diagnosticsOf(cli, { uri });
      if (first)
        demand(first.filePath === path, `filePath is ${JSON.stringify(first.filePath)}, not ${path}`);
    },
  },
  {
    id: "severities",
    title: "severities are those that the CLI counts",
    requirements: ["PG2"],
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      const path = await means.write("severities.json", "{,}\n");
      await means.editor.open(path, 1, 1);
      const found = (await diagnosticsOf(cli, {})).flatMap(({ diagnostics }) =>
        Array.isArray(diagnostics) ? diagnostics.filter(isJson) : [],
      );
      const others = found.filter(({ severity }) => !severities.includes(severity));
      demandNone(others.map(({ severity }) => `severity is ${JSON.stringify(severity)}`));
    },
  },
  {
    id: "diagnostics-time",
    title: "diagnostics are there in time, also while a diff is open",
    requirements: ["PG3"],
    lane: "proposals",
    async run(means) {
      const cli = await means.connect();
      const path = await means.write("time.txt", text);
      const proposal = await proposeAndShow(means, cli, path);
      const uri = pathToFileURL(path).href;
      await demandInTime(means.limits, uri, (input) => cli.call("get_diagnostics", input));
      await closeDiff(cli, proposal.tab);
    },
  },
];

function problemsOfFile({ uri, filePath, diagnostics }: Json): string[] {
  const isWhole = (one: unknown) =>
    isJson(one) && typeof one.message === "string" && typeof one.severity === "string" && hasRange(one);
  const list: readonly unknown[] | undefined = Array.isArray(diagnostics) ? diagnostics : undefined;
  return [
    ...(typeof uri === "string" ? [] : [`uri is ${JSON.stringify(uri)}`]),
    ...(typeof filePath === "string" ? [] : [`filePath is ${JSON.stringify(filePath)}`]),
    ...(list ? [] : [`diagnostics is ${JSON.stringify(diagnostics)}`]),
    ...(list ?? []).filter((one) => !isWhole(one)).map((one) => `a diagnostic is ${JSON.stringify(one)}`),
  ];
}
