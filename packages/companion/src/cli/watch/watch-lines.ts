import type { WatchReport } from "../../client/watch-companion.ts";
import { describeContext, toLabel } from "../review/event-text.ts";
import { toCompanionName, toEditorName } from "../serving.ts";
import type { Paint } from "../terminal/paint.ts";
import { toDisplayPath } from "../terminal/text.ts";
import type { WatchEvent, WatchState } from "./follow.ts";

/** One line of a log. */
export interface LogLine {
  /** Whose doing it is: an agent's name, or a word. */
  readonly who: string;
  /** Painted. */
  readonly what: string;
}

export interface LineStandpoint {
  readonly home: string;
  readonly folder: string;
  readonly paint: Paint;
}

/** What an event adds to what was known before, in words; shows no file's text. */
export function describeNews(
  event: WatchEvent,
  before: WatchState,
  { home, folder, paint }: LineStandpoint,
): readonly LogLine[] {
  const display = (file: string) => paint.plain(toDisplayPath(file, home));
  const label = (file: string) => toLabel(file, before.report?.roots ?? [], home);
  switch (event.kind) {
    case "found":
      return [companion(`${paint.plain(toCompanionName(event.finding))} serves ${display(folder)}`)];
    case "lost":
      return [companion(paint.yellow("gone"))];
    case "waiting": {
      const who = event.silent && paint.plain(toEditorName(event.silent));
      const silent = `${who} serves ${display(folder)}, but does not tell what it does: waiting for another one`;
      return [companion(event.silent ? silent : `none serves ${display(folder)}: waiting for one`)];
    }
    case "decision": {
      const style = { accepted: paint.green, rejected: paint.red, closed: paint.plain };
      return [
        {
          who: event.agent,
          what: `${style[event.outcome](event.outcome)} ${paint.bold(label(event.filePath))}`,
        },
      ];
    }
    case "report":
      return describeChanges(event, before.report, paint, home);
  }
}

const companion = (what: string): LogLine => ({ who: "Companion", what });

function describeChanges(
  report: WatchReport,
  before: WatchReport | undefined,
  paint: Paint,
  home: string,
): readonly LogLine[] {
  const label = (file: string) => toLabel(file, report.roots, home);
  const known = before ?? { sessions: [], diffs: [], context: undefined };
  const { added: connected } = compare(report.sessions, known.sessions, ({ id }) => id);
  const { gone } = compare(report.sessions, known.sessions, ({ id }) => id);
  const { added: proposed } = compare(
    report.diffs,
    known.diffs,
    ({ filePath, agent, openedAt }) => `${openedAt} ${agent} ${filePath}`,
  );
  const isSame = JSON.stringify(report.context) === JSON.stringify(known.context);
  const context = {
    who: "Context",
    what: paint.dim(describeContext(report.context.workspaceState?.openFiles ?? [], label)),
  };
  return [
    ...(isSame ? [] : [context]),
    ...connected.map(({ agent }) => ({ who: agent, what: paint.green("connected") })),
    ...proposed.map(({ agent, filePath }) => ({
      who: agent,
      what: `proposes ${paint.bold(label(filePath))}`,
    })),
    ...gone.map(({ agent }) => ({ who: agent, what: "disconnected" })),
  ];
}

function compare<Item>(now: readonly Item[], before: readonly Item[], key: (item: Item) => string) {
  const keys = { now: new Set(now.map(key)), before: new Set(before.map(key)) };
  return {
    added: now.filter((item) => !keys.before.has(key(item))),
    gone: before.filter((item) => !keys.now.has(key(item))),
  };
}
