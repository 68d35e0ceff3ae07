import type { Agent } from "../../agents/agent.ts";
import { agents as allAgents } from "../../agents/agents.ts";
import { describeKilled } from "../../agents/discovery/killed-companion.ts";
import { type Companion, startCompanion } from "../../companion.ts";
import type { CompanionEvent } from "../../core/events.ts";
import { defaultExclusions } from "../../core/sharing/exclusion.ts";
import { createSharing } from "../../core/sharing/sharing.ts";
import type { ReviewFrontend } from "../../frontends/review/review-frontend.ts";
import { version } from "../../version.ts";
import { servingRules } from "../editor-frontend.ts";
import type { Invocation } from "../invocation.ts";
import { openInBrowser, whyNoBrowser } from "./browser.ts";
import { createEventLog, type EventLog } from "./event-log.ts";
import { type LogLevel, logLevels } from "./event-text.ts";
import { resolveFolders } from "./folders.ts";
import { openFrontend } from "./frontend.ts";
import { listenToKeys } from "./keys.ts";
import { createLifetime, type Lifetime, toExitCode } from "./lifetime.ts";
import { describeNeighbours } from "./neighbours.ts";
import { describeStart } from "./start-block.ts";

/** Serves folders with the review page until it is stopped. */
export async function runReview(invocation: Invocation): Promise<number> {
  const roots = resolveFolders(invocation);
  const lifetime = createLifetime();
  const agents = chooseAgents(invocation.arguments.all("agent"));
  const rules = servingRules(invocation);
  const sharing = createSharing({
    host: invocation.host,
    roots: () => roots,
    exclude: () => [...defaultExclusions, ...rules.exclude],
    excludeGitIgnored: () => rules.excludeGitIgnored,
  });
  const frontend = await openFrontend({ roots, agents, sharing }, invocation);
  const events = createEventQueue();
  const killed = await describeKilled(roots, agents, invocation.host);
  const companion = await startCompanion({
    editor: frontend.editor,
    roots,
    agents,
    host: invocation.host,
    sharing,
    agentAccept: () => rules.agentAccept,
    onEvent(event) {
      frontend.onEvent(event);
      events.push(event);
    },
  }).catch(async (error: unknown) => {
    await frontend.close();
    throw error;
  });
  frontend.useCompanion(companion);
  for (const message of rules.problems) events.push({ kind: "warning", message });
  const session = await show({ invocation, roots, agents, frontend, companion, events, lifetime, killed });
  const exitCode = await lifetime.ended;
  session.close();
  await companion.close();
  await frontend.close();
  sharing.close();
  lifetime.close();
  return exitCode;
}

function chooseAgents(named: readonly string[]): readonly Agent[] {
  return named.length === 0 ? allAgents : allAgents.filter(({ name }) => named.includes(name));
}

/** Holds back what happens before the start has been reported. */
function createEventQueue() {
  const held: CompanionEvent[] = [];
  let listener: ((event: CompanionEvent) => void) | undefined;
  return {
    push(event: CompanionEvent) {
      if (listener) listener(event);
      else held.push(event);
    },
    flush(next: (event: CompanionEvent) => void) {
      listener = next;
      for (const event of held) next(event);
    },
  };
}

interface Running {
  readonly invocation: Invocation;
  readonly roots: readonly string[];
  readonly agents: readonly Agent[];
  readonly frontend: ReviewFrontend;
  readonly companion: Companion;
  readonly events: ReturnType<typeof createEventQueue>;
  readonly lifetime: Lifetime;
  /** What to say about CLIs that an earlier companion has left waiting. */
  readonly killed: readonly string[];
}

/** Tells that all is ready, then everything that happens, and does what the user's keys ask for. */
async function show(running: Running): Promise<{ close(): void }> {
  const { invocation, roots, frontend, events, lifetime } = running;
  const { home, env } = invocation.host;
  const level = logLevels.find((known) => known === invocation.arguments.all("log-level")[0]) ?? "normal";
  const log = createEventLog({ output: invocation.out, level, roots, home, page: frontend });
  const noBrowser = whyNoBrowser(process.platform, env);
  const open = () => {
    if (noBrowser !== undefined) return log.offer(noBrowser, frontend.newLink());
    void openInBrowser(frontend.newLink(), (sentence) => log.offer(sentence, frontend.newLink()));
  };
  const keys = await listenToKeys(process.stdin, {
    open,
    quit: () => lifetime.end(0),
    interrupt: () => lifetime.end(toExitCode("SIGINT")),
  });
  const opens = !invocation.arguments.has("no-open");
  tellStart(running, level, opens ? noBrowser : undefined, keys !== undefined);
  events.flush(log.print);
  for (const message of running.killed) log.print({ kind: "warning", message });
  if (opens && noBrowser === undefined) open();
  tellNeighbours(running, log);
  return {
    close() {
      keys?.close();
      log.close();
    },
  };
}

function tellStart(
  { invocation, roots, agents, frontend, companion }: Running,
  level: LogLevel,
  noBrowser: string | undefined,
  keys: boolean,
): void {
  const { out, host } = invocation;
  const link = frontend.newLink();
  if (level === "quiet") {
    out.line(`Review page: ${out.paint.cyan(link)}`);
    return;
  }
  const { port, discoveryFiles } = companion;
  const { home } = host;
  const recovered = companion.edits.list().length;
  const block = { version, link, roots, port, discoveryFiles, agents, home, noBrowser, recovered, keys };
  for (const line of describeStart(block, out.paint)) out.line(line);
}

function tellNeighbours({ roots, companion, invocation }: Running, log: EventLog): void {
  const warn = (message: string) => log.print({ kind: "warning", message });
  describeNeighbours(roots, companion, allAgents, invocation.host).then(
    (sentences) => sentences.forEach(warn),
    (error: unknown) => warn(`Looking for other companions failed: ${error}`),
  );
}
