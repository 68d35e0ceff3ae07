import { agentNames, agents, defaultAgent, isAgentName } from "../../agents.ts";
import { type Arguments, UsageError } from "../../cli/options.ts";
import { findOne, NoCompanion, openSubject, portOf } from "../../cli/subject.ts";
import { createLimits } from "../../run/subject.ts";
import { readSystemFolders } from "../../target/folders.ts";
import { isListening } from "../../target/machine.ts";
import { exchange } from "../../wire/http.ts";
import { RunnableContract } from "../contract.ts";
import type { FamilyFault } from "./faults.ts";
import { createParallelCompanions, type ParallelCompanions } from "./parallel-companions.ts";
import { cursorRules } from "./rules/context/cursor.ts";
import { focusRules } from "./rules/context/focus.ts";
import { shapeRules } from "./rules/context/shape.ts";
import { closingRules } from "./rules/diffs/closing.ts";
import { decisionsRules } from "./rules/diffs/decisions.ts";
import { notificationsRules } from "./rules/diffs/notifications.ts";
import { diffSessionsRules } from "./rules/diffs/sessions.ts";
import { toolsRules } from "./rules/diffs/tools.ts";
import { viewRules } from "./rules/diffs/view.ts";
import { discoveryFilesRules } from "./rules/discovery/files.ts";
import { kindsRules } from "./rules/discovery/kinds.ts";
import { leadsRules } from "./rules/discovery/leads.ts";
import { lifecycleRules } from "./rules/lifecycle.ts";
import { type Bench, createMeans } from "./rules/means.ts";
import { securityFilesRules } from "./rules/security/files.ts";
import { guardRules } from "./rules/security/guard.ts";
import { networkRules } from "./rules/security/network.ts";
import { tokensRules } from "./rules/security/tokens.ts";
import { handshakeRules } from "./rules/transport/handshake.ts";
import { messagesRules } from "./rules/transport/messages.ts";
import { sessionsRules } from "./rules/transport/sessions.ts";
import { streamsRules } from "./rules/transport/streams.ts";
import { agentsOf, findCompanions, startFamily, type Target } from "./target/target.ts";

/** MCP over HTTP, with discovery files in the temporary folder. */
export const geminiFamily = new RunnableContract<Target, Bench, FamilyFault, ParallelCompanions>({
  agents: agentNames,
  groups: {
    transport: {
      title: "Transport and MCP",
      rules: { ...handshakeRules, ...messagesRules, ...sessionsRules, ...streamsRules },
    },
    security: {
      title: "Security",
      rules: { ...tokensRules, ...guardRules, ...networkRules, ...securityFilesRules },
    },
    discovery: { title: "Discovery", rules: { ...kindsRules, ...discoveryFilesRules, ...leadsRules } },
    context: { title: "Context", rules: { ...shapeRules, ...focusRules, ...cursorRules } },
    diffs: {
      title: "Diffs",
      rules: {
        ...toolsRules,
        ...closingRules,
        ...decisionsRules,
        ...notificationsRules,
        ...diffSessionsRules,
        ...viewRules,
      },
    },
    lifecycle: { title: "Lifecycle", rules: lifecycleRules },
  },
  handshake: "initialize",
  severalClis: "several-clis",
  titlesOf: (target) => agentsOf(target).map((agent) => agents[agent].title),
  async open(args, cleanup) {
    const isGiven = args.has("url") || args.has("port");
    if (args.has("url") && args.has("port"))
      throw new UsageError("--url and --port both name the companion: give one of them");
    if (args.has("token") && !args.has("url"))
      throw new UsageError("--token is for --url; elsewhere the discovery files have the token");
    return openSubject(args, cleanup, { isGiven, start: startFamily, find: () => findTarget(args) });
  },
  addressOf: ({ port }) => `port ${port}`,
  secretsOf: ({ tokens }) => tokens.values(),
  hasFiles: ({ files }) => files.length > 0,
  whyNot: (agent, target) =>
    agentsOf(target).includes(agent) ? undefined : `the companion does not serve ${agents[agent].title}`,
  createShared: createParallelCompanions,
  createMeans,
});

async function findTarget(args: Arguments): Promise<Target> {
  const url = args.value("url");
  if (url !== undefined) return toTarget(url, args);
  const systemFolders = readSystemFolders(process.env);
  const where = [systemFolders.tmp, ...Object.values(systemFolders.homes)].join(" or ");
  return findOne(await findCompanions(systemFolders), portOf(args), where);
}

async function toTarget(text: string, args: Arguments): Promise<Target> {
  const token = args.value("token") ?? process.env.IDE_COMPANION_TOKEN ?? "";
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The CLIs know no other host and no other path.
  const isKnown = url?.pathname === "/mcp" && ["127.0.0.1", "localhost"].includes(url.hostname);
  if (url?.protocol !== "http:" || url.port === "" || !isKnown)
    throw new UsageError(`--url must be like http://127.0.0.1:PORT/mcp, got ${text}`);
  const agent = args.value("agent") ?? defaultAgent;
  if (!isAgentName(agent))
    throw new UsageError(`--agent must be one of ${agentNames.join(", ")}, got ${agent}`);
  const port = Number(url.port);
  if (!(await isListening(port))) throw new NoCompanion(`no process listens on port ${port} of 127.0.0.1`);
  if (token === "" && (await wantsToken(port)))
    throw new UsageError("this companion needs a token: --token, or IDE_COMPANION_TOKEN");
  return {
    port,
    name: text,
    tokens: new Map([[agent, token]]),
    files: [],
    systemFolders: readSystemFolders(process.env),
    roots: [],
  };
}

/** Whether a request without a token is refused for that. */
async function wantsToken(port: number): Promise<boolean> {
  const line = { port, answerWithin: createLimits().answer, signal: new AbortController().signal };
  const refused = exchange(line, { method: "GET" }).then(({ status }) => status === 401);
  return refused.catch(() => false); // what it does instead, the checks say
}
