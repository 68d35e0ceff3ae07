import { agents } from "../../agents/agents.ts";
import { isSound } from "../../agents/doctor/step.ts";
import { findExecutable } from "../../system/host.ts";
import { readProcessTable } from "../../system/processes/process-table.ts";
import { findAgent } from "../arguments.ts";
import { exitCodes, type Invocation } from "../invocation.ts";
import { describeDiagnosis, type Examined } from "./doctor-text.ts";

/** Tells what keeps agent CLIs from connecting in this terminal, and from showing their diffs. */
export async function runDoctor(invocation: Invocation): Promise<number> {
  const { arguments: given, host, folder, out } = invocation;
  const processes = await readProcessTable();
  const examined: Examined[] = [];
  for (const agent of chooseAgents(invocation)) {
    const cli = await agent.loadCli();
    examined.push({ agent, folder, ...(await cli.diagnose(agent, { host, folder, processes }, agents)) });
  }
  if (given.has("json")) out.line(JSON.stringify(examined.map(toJson), null, 2));
  else {
    const page = { home: host.home, columns: out.isTerminal ? Math.min(process.stdout.columns, 110) : 110 };
    for (const [index, diagnosis] of examined.entries()) {
      if (index > 0) out.line();
      for (const line of describeDiagnosis(diagnosis, page, out.paint)) out.line(line);
    }
  }
  return examined.every(({ steps }) => isSound(steps)) ? exitCodes.ok : exitCodes.failure;
}

/** The one that is named, or else all that are installed, or else all: then each tells how to get it. */
function chooseAgents({ arguments: given, host }: Invocation) {
  const [name] = given.words;
  if (name !== undefined) return [findAgent(name)];
  const installed = agents.filter(({ command }) => findExecutable(command, host) !== undefined);
  return installed.length === 0 ? agents : installed;
}

const toJson = ({ agent, folder, ide, steps }: Examined) => ({
  agent: agent.name,
  folder,
  sound: isSound(steps),
  ide,
  steps,
});
