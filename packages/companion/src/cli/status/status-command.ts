import { exitCodes, type Invocation } from "../invocation.ts";
import { describeSurvey } from "./status-text.ts";
import { type Survey, type SurveyedCompanion, survey } from "./survey.ts";

/** Shows every companion that runs, and the discovery files that lead nowhere. */
export async function runStatus({ arguments: given, host, out }: Invocation): Promise<number> {
  const found = await survey(host);
  if (given.has("json")) out.line(JSON.stringify(toJson(found), null, 2));
  else
    for (const line of describeSurvey(found, { now: Date.now(), home: host.home }, out.paint)) out.line(line);
  return exitCodes.ok;
}

/** Names every field that is shown: a discovery file also holds a token. */
function toJson({ companions, dead }: Survey) {
  return {
    companions: companions.map(companionToJson),
    stale: dead.map(({ agent, file, result, reason }) => ({ file, agent: agent.name, result, reason })),
  };
}

function companionToJson({ port, findings, health }: SurveyedCompanion) {
  const [first] = findings;
  return {
    port,
    pid: first?.pid,
    editor: first?.ide,
    roots: first?.roots,
    agents: [...new Set(findings.map(({ agent }) => agent))]
      .filter(({ isOwn }) => !isOwn)
      .map(({ name }) => name),
    files: findings.map(({ file }) => file),
    health,
  };
}
