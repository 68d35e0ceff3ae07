import { pathToFileURL } from "node:url";
import { until } from "../../../until.ts";
import { isJson, type Json } from "../../../wire/json-rpc.ts";
import { Broken, byUser, demand, demandNone, quote, unless } from "../../check.ts";
import { inTime } from "../../diagnostics.ts";
import { changing, inputOf, toEveryOne } from "../../fault.ts";
import { isBoolean, isRange, isText, problemsOfFields } from "../../fields.ts";
import type { HttpCli } from "../../http-cli.ts";
import { observed, recommended } from "../../requirement.ts";
import {
  mention,
  problemsOfRange,
  selected,
  selectIn,
  selectionChecks,
  selectionOf,
  text,
} from "../../selection.ts";
import { reporting } from "../faults.ts";
import { type CopilotGroup, callTool, type Means, proposeAndShow } from "./means.ts";

/** Faults in the names of a selection, as sentences. */
const problemsOf = (sent: Json, path: string) =>
  problemsOfFields(sent, { filePath: path, fileUrl: pathToFileURL(path).href });

/** Selects two lines of a new file. @returns its path */
async function select({ editor, write }: Means, name: string): Promise<string> {
  const path = await write(name, text);
  await selectIn(editor, path);
  return path;
}

/** @throws Broken when there is none */
async function diagnosticsOf(cli: HttpCli, input: Json): Promise<readonly Json[]> {
  const list = await callTool(cli, "get_diagnostics", input);
  if (!Array.isArray(list) || !list.every(isJson))
    throw new Broken(`the text is no list: ${quote(list)?.slice(0, 200)}`);
  return list;
}

const severities: readonly unknown[] = ["Error", "Warning", "Information", "Hint"];

function problemsOfFile(file: Json): readonly string[] {
  const diagnostics: readonly unknown[] = Array.isArray(file.diagnostics) ? file.diagnostics : [];
  const shape = { message: isText, severity: isText, range: isRange };
  return [
    ...problemsOfFields(file, { uri: isText, filePath: isText, diagnostics: Array.isArray }),
    ...diagnostics.flatMap((one) => problemsOfFields(isJson(one) ? one : {}, shape)),
  ];
}

const withoutEmpty = changing("selection_changed", (params) => (params.text === "" ? undefined : params));

const selection = selectionChecks<HttpCli>(problemsOf);

export const contextRules: CopilotGroup = {
  PC1: {
    MUST: "`selection_changed` has `text`, `filePath`, `fileUrl` and `selection: {start, end, isEmpty}`. Lines and characters count from 0, characters in UTF-16 units.",
    sources: observed("The CLI puts the text before the next prompt, with the path and the lines."),
    ...selection.one,
  },
  PC2: {
    SHOULD: "The selection is sent when a stream opens.",
    sources: observed("Otherwise the CLI does not know it until it changes."),
    check: "sent-at-once",
    ...byUser,
    async run(means) {
      const path = await select(means, "at-once.txt");
      // Another one that has it knows that the companion has it.
      await selectionOf(await means.connect(), means, (params) => params.filePath === path).catch(() => {});
      await selectionOf(await means.connect(), means, ({ filePath }) => filePath === path);
    },
    fault: {
      down: changing("selection_changed", () => undefined),
      says: /no such selection_changed within/,
    },
  },
  PC3: {
    MUST: "When the user selects nothing any more, an empty selection is sent.",
    sources: observed("The CLI sends the last text with every prompt until it gets another."),
    check: "deselected",
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
    fault: { down: withoutEmpty, says: /no such selection_changed within/ },
  },
  PC4: {
    MUST: "When the file of the selection is closed, an empty selection or that of another file is sent.",
    sources: observed("The CLI sends the last text with every prompt until it gets another."),
    check: "cleared",
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
      demand(isWhole, `filePath is ${quote(filePath)} and fileUrl ${quote(fileUrl)}`);
    },
    fault: { down: withoutEmpty, says: /no such selection_changed within/ },
  },
  PC5: {
    MUST: "Every CLI gets the selection.",
    sources: recommended("The user may go on with any of them."),
    ...selection.every,
  },
  PC6: {
    SHOULD:
      "`add_file_reference` goes to one CLI, and has `filePath`, `fileUrl`, `selection` and `selectedText`; the last two may be null.",
    sources: observed("The CLI types a reference into its prompt. It needs all four keys."),
    check: "mention",
    ...byUser,
    async run(means) {
      const { path, sent } = await mention(means, "add_file_reference");
      const { selection } = sent;
      const lineOf = (side: "start" | "end") => {
        const place = isJson(selection) ? selection[side] : undefined;
        return isJson(place) ? place.line : undefined;
      };
      demandNone([
        ...problemsOfFields(sent, {
          filePath: path,
          fileUrl: isText,
          selectedText: (text) => text === null || isText(text),
        }),
        ...unless(
          lineOf("start") === 1 && lineOf("end") === 2,
          `selection is ${quote(selection)}, not lines 1 to 2`,
        ),
      ]);
    },
    fault: {
      down: toEveryOne("add_file_reference"),
      says: /add_file_reference went to 2 CLIs/,
    },
  },
  PC7: {
    MUST: "`get_selection` is answered `{text, filePath, fileUrl, selection, current}`, or `null`.",
    sources: observed("The model gets this text."),
    check: "get-selection",
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      const path = await select(means, "get-selection.txt");
      let answer: unknown;
      await until(async () => {
        answer = await callTool(cli, "get_selection", {});
        return isJson(answer) && answer.text === selected;
      }, means.limits.event);
      demand(isJson(answer) && answer.text === selected, `it was answered ${quote(answer)}`);
      demandNone([
        ...problemsOfRange(answer),
        ...problemsOf(answer, path),
        ...problemsOfFields(answer, { current: isBoolean }),
      ]);
    },
    fault: {
      down: reporting("get_selection", ({ current: _, ...value }) => value),
      says: /^current is undefined$/,
    },
  },
};

export const diagnosticsRules: CopilotGroup = {
  PG1: {
    MUST: "`get_diagnostics` is answered with a list of `{uri, filePath, diagnostics}`, each diagnostic with `message`, `severity` and `range`.",
    sources: observed("The model gets this text."),
    check: "diagnostics-list",
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      const path = await means.write("a ü 100%.json", "{,}\n");
      await means.editor.open(path, 1, 1);
      const uri = pathToFileURL(path).href;
      const list = [...(await diagnosticsOf(cli, { uri })), ...(await diagnosticsOf(cli, {}))];
      demandNone(list.flatMap(problemsOfFile));
      const [first] = await diagnosticsOf(cli, { uri });
      if (first) demand(first.filePath === path, `filePath is ${quote(first.filePath)}, not ${path}`);
    },
    fault: {
      down: reporting("get_diagnostics", (_, asked) => [{ uri: inputOf(asked).uri ?? "", diagnostics: [] }]),
      says: /filePath is undefined/,
    },
  },
  PG2: {
    SHOULD: "A severity is `Error`, `Warning`, `Information` or `Hint`.",
    sources: observed("The CLI counts these alone; with any other it says that there are no diagnostics."),
    check: "severities",
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      const path = await means.write("severities.json", "{,}\n");
      await means.editor.open(path, 1, 1);
      const found = (await diagnosticsOf(cli, {})).flatMap(({ diagnostics }) =>
        Array.isArray(diagnostics) ? diagnostics.filter(isJson) : [],
      );
      const others = found.filter(({ severity }) => !severities.includes(severity));
      demandNone(others.map(({ severity }) => `severity is ${quote(severity)}`));
    },
    fault: {
      down: reporting("get_diagnostics", (_, asked) => [
        { uri: inputOf(asked).uri, filePath: "", diagnostics: [{ message: "x", severity: "error" }] },
      ]),
      says: /severity is "error"/,
    },
  },
  PG3: {
    SHOULD:
      "The answer is there within half a second for one file, and 2 s for all, also while a diff is open.",
    sources: recommended("The model waits for it."),
    ...inTime<HttpCli>({
      tool: "get_diagnostics",
      ask: (cli, input) => callTool(cli, "get_diagnostics", input),
      toUri: (path) => pathToFileURL(path).href,
      proposeAndShow,
    }),
  },
};
