import { discoveryClients } from "../../agents/agents.ts";
import { findCompanions } from "../../agents/discovery/find-companions.ts";
import type { WatchReport } from "../../client/watch-companion.ts";
import { createLoopbackFetch } from "../../transport/loopback.ts";
import { type Invocation, UsageError } from "../invocation.ts";
import { describeContext, toLabel } from "../review/event-text.ts";
import { isForeground, listenToKeys } from "../review/keys.ts";
import { createLifetime, type Lifetime, toExitCode } from "../review/lifetime.ts";
import { toCompanionName, toEditorName } from "../serving.ts";
import { type FullScreen, openFullScreen, paintLine } from "../terminal/full-screen.ts";
import type { Paint } from "../terminal/paint.ts";
import { toDisplayPath } from "../terminal/text.ts";
import { follow, toNextState, type WatchEvent, type WatchState } from "./follow.ts";
import { describeScreen } from "./watch-screen.ts";

/** Something that events are shown on. */
interface Display {
  show(event: WatchEvent): void;
  close(): void;
}

/** Shows what the companion of this folder does until it is stopped, over its end and its next start. */
export async function runWatch(invocation: Invocation): Promise<number> {
  const { arguments: given, host, folder, out } = invocation;
  if (given.has("json") && given.has("lines")) throw new UsageError("--json and --lines exclude each other");
  const lifetime = createLifetime();
  const stop = new AbortController();
  const fetch = createLoopbackFetch();
  const find = async () =>
    (await findCompanions(host, discoveryClients)).filter((finding) => finding.result === "live");
  // One that is dumb, as Emacs' shell is, shows what should move its cursor.
  const hasScreen = out.isTerminal && host.env.TERM !== "dumb";
  const display = given.has("json")
    ? createJsonDisplay(invocation)
    : hasScreen && !given.has("lines") && (await isForeground())
      ? await createScreenDisplay(invocation, lifetime)
      : createLineDisplay(invocation);
  const watching = showAll(follow({ folder, env: host.env, find, fetch, signal: stop.signal }), display);
  try {
    return await Promise.race([lifetime.ended, watching]);
  } finally {
    stop.abort();
    await watching.catch(() => {}); // it was stopped, or has been thrown already
    display.close();
    fetch.close();
    lifetime.close();
  }
}

async function showAll(events: AsyncIterable<WatchEvent>, display: Display): Promise<never> {
  for await (const event of events) display.show(event);
  throw new Error("the watch ended");
}

/** One JSON object a line, for programs. */
function createJsonDisplay({ out }: Invocation): Display {
  const show = (event: WatchEvent) => {
    if (event.kind !== "found")
      return out.line(JSON.stringify(event.kind === "waiting" ? { kind: event.kind } : event));
    // Names every field: the file also holds a token.
    const { port, ide, roots, pid } = event.finding;
    out.line(JSON.stringify({ kind: event.kind, port, pid, editor: ide, roots }));
  };
  return { show, close: () => {} };
}

function createLineDisplay({ out, host, folder }: Invocation): Display {
  const { paint } = out;
  let state: WatchState = { decisions: [] };
  return {
    show(event) {
      const time = paint.dim(new Date().toTimeString().slice(0, 8));
      for (const { who, what } of describeNews(event, state, { home: host.home, folder, paint })) {
        out.line(`${time}  ${paint.plain(who.padEnd(10))}  ${what}`);
      }
      state = toNextState(state, event);
    },
    close: () => {},
  };
}

async function createScreenDisplay({ out, host, folder }: Invocation, lifetime: Lifetime): Promise<Display> {
  const screen = openFullScreen(process.stdout);
  let state: WatchState = { decisions: [] };
  const draw = () => {
    const { rows } = screen;
    const lines = describeScreen(state, { now: Date.now(), home: host.home, folder, rows });
    screen.show(lines.slice(0, rows).map((line) => paintLine(line, screen.columns, out.paint)));
  };
  const keys = await listenToKeys(process.stdin, toKeyActions(screen, lifetime, draw));
  screen.onResize(draw);
  const clock = setInterval(draw, 1000); // times go on
  draw();
  return {
    show(event) {
      state = toNextState(state, event);
      draw();
    },
    close() {
      clearInterval(clock);
      keys?.close();
      screen.close();
    },
  };
}

function toKeyActions(screen: FullScreen, lifetime: Lifetime, draw: () => void) {
  return {
    quit: () => lifetime.end(0),
    interrupt: () => lifetime.end(toExitCode("SIGINT")),
    suspend: screen.leave,
    resume() {
      screen.enter();
      draw();
    },
  };
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
