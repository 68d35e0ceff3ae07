import type { OpenFile } from "../../client/ide-client.ts";
import type { WatchDecision, WatchReport } from "../../client/watch-companion.ts";
import { toLabel } from "../review/event-text.ts";
import { toEditorName } from "../serving.ts";
import type { Line } from "../terminal/full-screen.ts";
import { toDisplayPath, toDuration } from "../terminal/text.ts";
import type { WatchState } from "./follow.ts";

export interface Standpoint {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly home: string;
  /** The folder whose companion is watched. */
  readonly folder: string;
  /** How many lines there is room for. */
  readonly rows: number;
}

interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** Lines of a selection, at most; a number stands for the rest. */
const excerpt = 5;

/** A whole screen, from what matters most to what matters least: at a small one the end is missing. */
export function describeScreen(state: WatchState, standpoint: Standpoint): readonly Line[] {
  const head = describeHead(state, standpoint);
  const foot: readonly Line[] = [[], [["dim", "q quits"]]];
  const sections = state.report ? describeReport(state.report, standpoint) : [];
  const label = (file: string) => toLabel(file, state.report?.roots ?? [], standpoint.home);
  const decisions = state.decisions.map((decision) => describeDecision(decision, label));
  if (decisions.length > 0) sections.push({ title: "Lately", lines: decisions });
  return [...head, ...fitSections(sections, standpoint.rows - head.length - foot.length), ...foot];
}

function describeHead({ finding, silent }: WatchState, { folder, home }: Standpoint): readonly Line[] {
  const display = (file: string) => toDisplayPath(file, home);
  if (finding) {
    const roots = finding.roots.length === 0 ? "no folder is open" : finding.roots.map(display).join(", ");
    return [
      [
        ["bold", toEditorName(finding)],
        ["dim", `  port ${finding.port}  `],
        ["plain", roots],
      ],
    ];
  }
  if (silent) {
    const sentence = `${toEditorName(silent)} serves ${display(folder)}, but does not report what it does.`;
    return [[["yellow", sentence]], [["dim", "Waiting for another companion …"]]];
  }
  return [
    [["yellow", `No companion serves ${display(folder)}. Waiting for one …`]],
    [
      ["dim", "Start one: "],
      ["bold", "ide-companion"],
    ],
  ];
}

function describeReport(report: WatchReport, { now, home }: Standpoint): Section[] {
  const { diffs, sessions, roots, context } = report;
  const label = (file: string) => toLabel(file, roots, home);
  const files = context.workspaceState?.openFiles ?? [];
  const selected = files.find(({ isActive }) => isActive)?.selectedText ?? "";
  const waiting = diffs.map(({ filePath, agent, openedAt }): Line => {
    const since = `  by ${agent}, for ${toDuration(now - openedAt)}`;
    return [indent, ["yellow", label(filePath)], ["dim", since]];
  });
  const agents = sessions.map(({ agent, connectedAt, streaming }): Line => {
    const since: Line[number] = ["dim", ` for ${toDuration(now - connectedAt)}`];
    const down: Line[number] = ["yellow", " connected, but its stream is down"];
    return [indent, ["plain", agent], streaming ? ["green", " connected"] : down, since];
  });
  return [
    { title: "Waiting for a decision", lines: orNone(waiting, "nothing") },
    { title: "Agents", lines: orNone(agents, "none is connected") },
    {
      title: "Looking at",
      lines: orNone(
        files.map((file) => describeFile(file, label)),
        "no file",
      ),
    },
    ...(selected === "" ? [] : [describeSelection(selected)]),
  ];
}

function describeFile({ path, isActive, cursor }: OpenFile, label: (file: string) => string): Line {
  if (!isActive) return [indent, ["dim", `  ${label(path)}`]];
  const place = cursor ? `:${cursor.line}:${cursor.character}` : "";
  return [indent, ["cyan", "▸ "], ["bold", label(path)], ["plain", place]];
}

function describeSelection(text: string): Section {
  const lines = text.split("\n");
  // The end of a line that is selected as well starts none.
  if (lines.at(-1) === "") lines.pop();
  const shown = lines.slice(0, excerpt).map((line): Line => {
    return [indent, ["dim", "│ "], ["plain", line.replaceAll("\t", "  ").replace(/\r$/, "")]];
  });
  const rest = lines.length - shown.length;
  return {
    title: `Selected, ${count(text.length, "character")}`,
    lines: rest === 0 ? shown : [...shown, more(rest, "lines")],
  };
}

function describeDecision(
  { filePath, agent, outcome, at }: WatchDecision,
  label: (file: string) => string,
): Line {
  const style = { accepted: "green", rejected: "red", closed: "dim" } as const;
  return [
    indent,
    ["dim", `${new Date(at).toTimeString().slice(0, 8)}  `],
    [style[outcome], outcome],
    ["plain", ` ${label(filePath)}`],
    ["dim", `  by ${agent}`],
  ];
}

/** As many of the lines as there is room for, what comes last first left out. */
function fitSections(sections: readonly Section[], rows: number): readonly Line[] {
  const shown = [...sections];
  let excess = sections.reduce((sum, { lines }) => sum + lines.length + 2, 0) - rows;
  for (let index = shown.length - 1; index >= 0 && excess > 0; index--) {
    const { title, lines } = shown[index] ?? { title: "", lines: [] };
    // Two lines at least: one that is a part, and how many more there are.
    const cut = Math.min(lines.length - 1, excess + 1);
    if (lines.length - cut >= 1 && cut > excess) {
      shown[index] = { title, lines: [...lines.slice(0, lines.length - cut), more(cut)] };
      return shown.flatMap(toLines);
    }
    shown.pop();
    excess -= lines.length + 2;
  }
  return shown.flatMap(toLines);
}

const toLines = ({ title, lines }: Section): readonly Line[] => [[], [["bold", title]], ...lines];
const orNone = (lines: readonly Line[], none: string): readonly Line[] =>
  lines.length > 0 ? lines : [[indent, ["dim", none]]];
const more = (number: number, noun = ""): Line => [indent, ["dim", `… ${number} more ${noun}`.trimEnd()]];
const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const indent: Line[number] = ["plain", "  "];
