import type { Agent } from "../../agents/agent.ts";
import { discoveryClients } from "../../agents/agents.ts";
import { type Host, isInContainer } from "../../system/host.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { toAgentEnv } from "../run/agent-env.ts";
import { findServing } from "../serving.ts";
import { guessShell, parentName, type Shell, shells } from "./shells.ts";

/** Prints the variables that bind this terminal's CLIs to the companion of this folder, for its shell. */
export async function runEnv(invocation: Invocation): Promise<number> {
  const { arguments: given, host, folder, out } = invocation;
  if (given.has("json") && (given.has("unset") || given.has("shell"))) {
    throw new UsageError("--json is for programs: it goes neither with --shell nor with --unset");
  }
  const names = given.all("agent");
  // Our own commands as well: by their variable alone they find a companion of agents that have none.
  const agents = discoveryClients.filter(({ name }) => names.length === 0 || names.includes(name));
  const shell = await chooseShell(invocation);
  if (given.has("unset")) {
    for (const name of variableNames(agents, host)) out.line(shell.remove(name));
    return exitCodes.ok;
  }
  const serving = await findServing(invocation, { agents, folders: [folder] });
  if (!serving) return exitCodes.failure;
  const found = agents.map((agent) => serving.findings.find((finding) => finding.agent === agent));
  const inContainer = isInContainer();
  const env: Record<string, string> = Object.assign(
    {},
    ...found.map((finding) => finding && toAgentEnv(finding, host, inContainer)),
  );
  // Not painted, like all that is printed here: a shell or a program reads it.
  if (given.has("json")) out.line(JSON.stringify(env, null, 2));
  else printLines(env, shell, out);
  return exitCodes.ok;
}

async function chooseShell({ arguments: given, host }: Invocation): Promise<Shell> {
  const [named] = given.all("shell");
  const known = Object.entries(shells).find(([name]) => name === named);
  if (known) return known[1];
  return guessShell({ platform: process.platform, env: host.env, parent: await parentName() });
}

function printLines(env: Readonly<Record<string, string>>, shell: Shell, out: Invocation["out"]): void {
  // All or nothing: one that cannot be written must not leave a terminal half bound.
  const lines = Object.entries(env).map(([name, value]) => shell.assign(name, value));
  for (const line of lines) out.line(line);
  if (out.isTerminal) out.line(shell.comment(`to use them: ${shell.call}`));
}

/** What an earlier call may have set. Exceptions to a proxy stay: they are the user's as well. */
function variableNames(agents: readonly Agent[], host: Host): readonly string[] {
  const ide = { name: "", displayName: "" };
  const nowhere = { port: 1, token: "", roots: [], ide, pid: 1, serverPid: 1 };
  return agents.flatMap((agent) => Object.keys(agent.terminalEnv(nowhere, host)));
}
