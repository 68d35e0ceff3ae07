import { agentNames, agents, defaultAgent, isAgentName } from "../../agents.ts";
import { type Arguments, UsageError } from "../../cli/options.ts";
import { NoCompanion, openSubject } from "../../cli/subject.ts";
import { readSystemFolders } from "../../target/folders.ts";
import { isListening } from "../../target/process.ts";
import type { Contract } from "../contract.ts";
import { checks } from "./checks/index.ts";
import { requirementOf, rules } from "./requirements/index.ts";
import { runChecks } from "./run.ts";
import { agentsOf, findCompanions, findServing, startCompanion, type Target } from "./target/target.ts";

/** MCP over HTTP, with discovery files in the temporary folder. */
export const geminiFamily: Contract = {
  agents: agentNames,
  rules,
  checks,
  whomOf(requirement) {
    const { agent } = requirementOf(requirement);
    return agent && agents[agent].title;
  },
  async open(args, cleanup) {
    const isGiven = args.has("url") || args.has("port");
    if (args.has("isolated") && (isGiven || args.command.length === 0))
      throw new UsageError(
        "--isolated needs a command that starts companions, after --, and neither --port nor --url",
      );
    const subject = await openSubject(args, cleanup, {
      isGiven,
      start: startCompanion,
      find: () => findTarget(args),
    });
    return {
      name: subject.target.name,
      address: `port ${subject.target.port}`,
      agents: agentsOf(subject.target).map((agent) => agents[agent].title),
      run: (chosen, options) =>
        runChecks(
          checks.filter(({ id }) => chosen.has(id)),
          subject,
          options,
        ),
    };
  },
};

async function findTarget(args: Arguments): Promise<Target> {
  const url = args.value("url");
  if (url !== undefined) return toTarget(url, args);
  const systemFolders = readSystemFolders(process.env);
  const port = args.value("port");
  const found =
    port === undefined
      ? await findServing(process.cwd(), systemFolders)
      : (await findCompanions(systemFolders)).filter((one) => String(one.port) === port);
  const [only, ...others] = found;
  if (!only) {
    const where =
      port === undefined
        ? `no companion has ${process.cwd()} open`
        : `no discovery file names a companion on port ${port}`;
    throw new NoCompanion(
      `${where}; looked in ${[systemFolders.tmp, ...Object.values(systemFolders.homes)].join(" and ")}`,
    );
  }
  if (others.length > 0) {
    const list = found.map((one) => `--port ${one.port}  ${one.name}, ${one.roots.join(", ")}`).join("\n  ");
    throw new UsageError(`several companions serve this folder; say which one:\n  ${list}`);
  }
  return only;
}

async function toTarget(text: string, args: Arguments): Promise<Target> {
  const token = args.value("token") ?? process.env.IDE_COMPANION_TOKEN;
  if (token === undefined || token === "")
    throw new UsageError("--url needs a token: --token, or IDE_COMPANION_TOKEN");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" || url.port === "")
    throw new UsageError(`--url must be like http://127.0.0.1:PORT/mcp, got ${text}`);
  const agent = args.value("agent") ?? defaultAgent;
  if (!isAgentName(agent))
    throw new UsageError(`--agent must be one of ${agentNames.join(", ")}, got ${agent}`);
  const port = Number(url.port);
  if (!(await isListening(port))) throw new NoCompanion(`no process listens on port ${port} of 127.0.0.1`);
  return {
    port,
    name: text,
    tokens: new Map([[agent, token]]),
    files: [],
    systemFolders: readSystemFolders(process.env),
    roots: [],
  };
}
