import { discoveryClients } from "../../agents/agents.ts";
import { findCompanions } from "../../agents/discovery/find-companions.ts";
import type { WatchReport } from "../../client/watch-companion.ts";
import { describeContext } from "../../core/event-text.ts";
import type { Paint } from "../../core/paint.ts";
import { createLoopbackFetch } from "../../transport/loopback.ts";
import type { Invocation } from "../invocation.ts";
import { createLifetime } from "../review/lifetime.ts";
import { toCompanionName, toEditorName } from "../serving.ts";
import { toDisplayPath, toLabel } from "../terminal/text.ts";
import { follow, type WatchEvent } from "./follow.ts";

/** Tells what the companion of this folder does until it is stopped, over its end and its next start. */
export async function runWatch(invocation: Invocation): Promise<number> {
  const { arguments: given, host, folder } = invocation;
  const lifetime = createLifetime();
  const stop = new AbortController();
  const fetch = createLoopbackFetch();
  const find = async () =>
    (await findCompanions(host, discoveryClients)).filter((finding) => finding.result === "live");
  const show = given.has("json") ? toJsonPrinter(invocation) : toLinePrinter(invocation);
  const watching = showAll(follow({ folder, env: host.env, find, fetch, signal: stop.signal }), show);
  try {
    return await Promise.race([lifetime.ended, watching]);
  } finally {
    stop.abort();
    await watching.catch(() => {}); // it was stopped, or has been thrown already
    fetch.close();
    lifetime.close();
  }
}

type Printer = (event: WatchEvent) => void;

async function showAll(events: AsyncIterable<WatchEvent>, show: Printer): Promise<never> {
  for await (const event of events) show(event);
  throw new Error("the watch ended");
}

/** One JSON object a line, for programs. */
const toJsonPrinter =
  ({ out }: Invocation): Printer =>
  (event) => {
    if (event.kind !== "found")
      return out.line(JSON.stringify(event.kind === "waiting" ? { kind: event.kind } : event));
    // Names every field: the file also holds a token.
    const { port, ide, roots, pid } = event.finding;
    out.line(JSON.stringify({ kind: event.kind, port, pid, editor: ide, roots }));
  };

function toLinePrinter({ out, host, folder }: Invocation): Printer {
  const { paint } = out;
  let report: WatchReport | undefined;
  return (event) => {
    const time = paint.dim(new Date().toTimeString().slice(0, 8));
    for (const { who, what } of describeNews(event, report, { home: host.home, folder, paint })) {
      out.line(`${time}  ${paint.plain(who.padEnd(10))}  ${what}`);
    }
    report = toNextReport(report, event);
  };
}

/** The companion as it is known after an event: nothing of another companion. */
export function toNextReport(report: WatchReport | undefined, event: WatchEvent): WatchReport | undefined {
  if (event.kind === "report") return event;
  return event.kind === "decision" ? report : undefined;
}

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
  before: WatchReport | undefined,
  { home, folder, paint }: LineStandpoint,
): readonly LogLine[] {
  const display = (file: string) => paint.plain(toDisplayPath(file, home));
  const label = (file: string) => toLabel(file, before?.roots ?? [], home);
  switch (event.kind) {
    case "found":
      return [companion(`${paint.plain(toCompanionName(event.finding))} serves ${display(folder)}`)];
    case "lost":
      return [companion(paint.yellow("gone"))];
    case "waiting": {
      const who = event.silent && paint.plain(toEditorName(event.silent));
      const silent = `${who} serves ${display(folder)}, but does not report what it does: waiting for another one`;
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
      return describeChanges(event, before, paint, home);
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
  const { added: connected, gone } = compare(report.sessions, known.sessions, ({ id }) => id);
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
