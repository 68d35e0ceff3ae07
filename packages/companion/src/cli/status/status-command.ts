import type { Agent } from "../../agents/agent.ts";
import { agents } from "../../agents/agents.ts";
import type { HealthReport } from "../../client/health.ts";
import type { Paint } from "../../core/paint.ts";
import { toShellWord } from "../../system/shell-word.ts";
import { exitCodes, type Invocation } from "../invocation.ts";
import { toDisplayPath, toDuration } from "../terminal/text.ts";
import { type Survey, type SurveyedCompanion, survey } from "./survey.ts";

/** Shows every companion that runs, and the discovery files that lead nowhere. */
export async function runStatus({ arguments: given, host, out }: Invocation): Promise<number> {
  const found = await survey(host);
  if (given.has("json")) out.line(JSON.stringify(toJson(found), null, 2));
  else
    for (const line of describeSurvey(found, { now: Date.now(), home: host.home }, out.paint)) out.line(line);
  return exitCodes.ok;
}

export interface Standpoint {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly home: string;
}

/** A survey for people, line by line. */
export function describeSurvey(
  { companions, dead }: Survey,
  standpoint: Standpoint,
  paint: Paint,
): readonly string[] {
  const display = (file: string) => paint.plain(toDisplayPath(file, standpoint.home));
  const none = ["No companion runs.", `Start one: ${paint.bold("ide-companion")}`];
  const stale = dead.map(({ file, reason }) => `  ${display(file)}  ${paint.dim(reason)}`);
  return [
    ...(companions.length === 0
      ? none
      : companions.flatMap((one) => describeCompanion(one, standpoint, paint))),
    ...(stale.length === 0 ? [] : ["", paint.yellow("Discovery files that lead nowhere"), ...stale]),
  ];
}

/** Names every field that is shown: a discovery file also holds a token. */
function toJson({ companions, dead }: Survey) {
  return {
    companions: companions.map(companionToJson),
    stale: dead.map(({ agent, file, result, reason }) => ({ file, agent: agent.name, result, reason })),
  };
}

function companionToJson({ port, findings, agents, health }: SurveyedCompanion) {
  const [first] = findings;
  return {
    port,
    pid: first?.pid,
    editor: first?.ide,
    roots: first?.roots,
    agents: agents.map(({ name }) => name),
    files: findings.map(({ file }) => file),
    health,
  };
}

function describeCompanion(
  companion: SurveyedCompanion,
  standpoint: Standpoint,
  paint: Paint,
): readonly string[] {
  const { port, findings, health } = companion;
  const [first] = findings;
  const name = first?.ide?.displayName ?? "Companion";
  const roots = first?.roots.map((root) => toDisplayPath(root, standpoint.home)) ?? [];
  const process = first?.pid === undefined ? "" : `, process ${first.pid}`;
  return [
    `${paint.bold(name)}  ${paint.plain(roots.length === 0 ? "no folder is open" : roots.join(", "))}`,
    `  ${paint.dim(`port ${port}${process}${health.status === "ok" ? `, version ${health.version}` : ""}`)}`,
    ...(first?.ide?.name === "review"
      ? [`  ${paint.dim("opens again by:")} ${paint.plain(toOpenCommand(first.roots, companion.agents))}`]
      : []),
    ...(health.status === "ok"
      ? [
          ...(health.paused
            ? [`  ${paint.yellow("sharing is paused")} ${paint.dim("(ide-companion resume)")}`]
            : []),
          ...describeSessions(health, standpoint, paint),
          ...describeDiffs(health, standpoint, paint),
        ]
      : [`  ${paint.yellow(`tells nothing of itself: ${health.reason}`)}`]),
  ];
}

/** The call that started the page opens it again. */
function toOpenCommand(roots: readonly string[], served: readonly Agent[]): string {
  const chosen = served.length === agents.length ? [] : served.map(({ name }) => `--agent ${name}`);
  return ["ide-companion", ...chosen, ...roots.map((root) => toShellWord(root))].join(" ");
}

function describeSessions(
  { sessions, requests = [] }: HealthReport,
  { now }: Standpoint,
  paint: Paint,
): readonly string[] {
  if (sessions.length + requests.length === 0) return [`  ${paint.dim("no CLI is connected")}`];
  const connected = sessions.map(({ agent, connectedAt, streaming }) => {
    const state = streaming ? paint.green("connected") : paint.yellow("connected, but its stream is down");
    return `  ${paint.plain(agent)} ${state} ${paint.dim(`for ${toDuration(now - connectedAt)}`)}`;
  });
  const asked = requests.map(
    ({ agent, requestedAt }) =>
      `  ${paint.plain(agent)} asked for the context ${paint.dim(`${toDuration(now - requestedAt)} ago`)}`,
  );
  return [...connected, ...asked];
}

function describeDiffs({ diffs }: HealthReport, { now, home }: Standpoint, paint: Paint): readonly string[] {
  return diffs.map(
    ({ filePath, agent, openedAt }) =>
      `  ${paint.yellow("waits for a decision:")} ${paint.plain(toDisplayPath(filePath, home))} ` +
      paint.dim(`by ${agent}, for ${toDuration(now - openedAt)}`),
  );
}
