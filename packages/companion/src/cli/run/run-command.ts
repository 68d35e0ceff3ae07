import type { Agent } from "../../agents/agent.ts";
import { agents } from "../../agents/agents.ts";
import { toRealPath } from "../../files/workspace-path.ts";
import { isInContainer } from "../../system/host.ts";
import { findAgent } from "../arguments.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { findServing } from "../serving.ts";
import { toDisplayPath } from "../terminal/text.ts";
import { toAgentEnv } from "./agent-env.ts";
import { startCli } from "./start-cli.ts";

/** Starts an agent's CLI in this terminal, bound to the companion of this folder. */
export async function runAgent(invocation: Invocation): Promise<number> {
  const { host, folder, err } = invocation;
  const agent = toAgent(invocation.arguments.words[0]);
  const serving = await findServing(invocation, { agents: [agent], folders: [folder] });
  if (!serving) return exitCodes.failure;
  const cli = await agent.loadCli();
  const tidy = await cli.prepareRun?.(serving.chosen, host);
  if (agent.contextOnly) {
    const { plain, bold } = err.paint;
    err.line(`${plain(`${agent.displayName} asks your editor after`)} ${bold(agent.connectCommand)}`);
  }
  if (needsConnectCommand(agent, serving.chosen.roots, folder)) {
    const { plain, bold } = err.paint;
    const roots = serving.chosen.roots.map((root) => toDisplayPath(root, host.home)).join(", ");
    const where = `${agent.displayName} connects alone only in ${roots}. Here, type`;
    err.line(`${plain(where)} ${bold(agent.connectCommand)}`);
  }
  // What the CLI starts may well be a command of ours.
  const own = serving.findings.find((finding) => finding.agent.isOwn);
  const end = await startCli({
    command: agent.command,
    args: invocation.arguments.passedOn,
    env: {
      ...host.env,
      ...(own && toAgentEnv(own, host, false)),
      ...toAgentEnv(serving.chosen, host, isInContainer(), agent),
    },
  }).finally(tidy);
  if (!("missing" in end)) return end.exitCode;
  const { paint } = err;
  err.line(
    `${paint.red("error:")} ${paint.plain(`${agent.displayName} is not installed: there is no ${agent.command} in your PATH`)}`,
  );
  err.line(`Install it with: ${paint.bold(agent.installCommand)}`);
  return exitCodes.notFound;
}

/** @param folder absolute; symlinks are followed, as in the roots */
export const needsConnectCommand = (agent: Agent, roots: readonly string[], folder: string): boolean =>
  agent.startsInRoot === true && !roots.map(toRealPath).includes(toRealPath(folder));

function toAgent(name: string | undefined): Agent {
  if (name !== undefined) return findAgent(name);
  throw new UsageError(`name the agent to run: known are ${agents.map((agent) => agent.name).join(", ")}`);
}
