import { setMaxListeners } from "node:events";
import { type AgentName, agentNames, agents, defaultAgent, isAgentName } from "../../agents.ts";
import { type Arguments, UsageError } from "../../cli/options.ts";
import { NoCompanion, openSubject, portOf } from "../../cli/subject.ts";
import { type RunOptions, runLanes } from "../../run/lanes.ts";
import { examine, type Outcome, type Result } from "../../run/result.ts";
import {
  createCommonMeans,
  createLimits,
  lastWordsOf,
  type Subject,
  whatIsMissing,
} from "../../run/subject.ts";
import { findServing, readSystemFolders } from "../../target/folders.ts";
import { isListening } from "../../target/process.ts";
import { Evidence } from "../../wire/evidence.ts";
import { exchange } from "../../wire/http.ts";
import type { CheckHead } from "../check.ts";
import type { Contract } from "../contract.ts";
import { createRuleBook } from "../requirement.ts";
import { checks } from "./checks/index.ts";
import type { Bench, Check } from "./checks/means.ts";
import { initialize as handshake } from "./checks/transport/handshake.ts";
import { severalClis } from "./checks/transport/sessions.ts";
import { createParallelCompanions, type ParallelCompanions } from "./parallel-companions.ts";
import { context } from "./requirements/context.ts";
import { diffs } from "./requirements/diffs.ts";
import { discovery, lifecycle } from "./requirements/discovery.ts";
import { security } from "./requirements/security.ts";
import { transport } from "./requirements/transport.ts";
import {
  agentsOf,
  findCompanions,
  type StartedCompanion,
  startFamily,
  type Target,
} from "./target/target.ts";
import { Wire } from "./wire/wire.ts";

/** The contract of Gemini CLI and Qwen Code. */
export const rules = createRuleBook({
  transport: { title: "Transport and MCP", requirements: transport },
  security: { title: "Security", requirements: security },
  discovery: { title: "Discovery", requirements: discovery },
  context: { title: "Context", requirements: context },
  diffs: { title: "Diffs", requirements: diffs },
  lifecycle: { title: "Lifecycle", requirements: lifecycle },
});

export const { requirements, requirementOf } = rules;

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
    if (args.has("url") && args.has("port"))
      throw new UsageError("--url and --port both name the companion: give one of them");
    if (args.has("token") && !args.has("url"))
      throw new UsageError("--token is for --url; elsewhere the discovery files have the token");
    if (args.has("isolated") && (isGiven || args.command.length === 0))
      throw new UsageError(
        "--isolated needs a command that starts companions, after --, and neither --port nor --url",
      );
    const subject = await openSubject(args, cleanup, {
      isGiven,
      start: startFamily,
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
      lastWords: () => lastWordsOf(subject, subject.target.tokens.values()),
    };
  },
};

async function findTarget(args: Arguments): Promise<Target> {
  const url = args.value("url");
  if (url !== undefined) return toTarget(url, args);
  const systemFolders = readSystemFolders(process.env);
  const port = portOf(args);
  const companions = await findCompanions(systemFolders);
  const found =
    port === undefined
      ? await findServing(process.cwd(), companions)
      : companions.filter((one) => one.port === port);
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

/** Every check, in the order of the requirements. */
export const checkHeads: readonly CheckHead[] = checks;

/** @throws Error for an id that no check has */
export const checkOf = (id: string): CheckHead => findCheck(id);

/**
 * Runs checks of the contract of Gemini CLI and Qwen Code.
 * @param wanted of those that there are, by their ids
 * @returns the results in the order of the checks
 * @throws Error for an id that no check has
 */
export async function runChecks(
  wanted: readonly Pick<CheckHead, "id">[],
  subject: FamilySubject,
  options: RunOptions = {},
): Promise<Result[]> {
  const chosen = wanted.map(({ id }) => findCheck(id));
  const parallel = createParallelCompanions(subject);
  const run = (check: Check, on: FamilySubject) => runCheck(check, on, parallel);
  try {
    return await runLanes(chosen, { rules, handshake, severalClis, subject, run }, options);
  } finally {
    await parallel.close();
  }
}

function findCheck(id: string): Check {
  const found = checks.find((check) => check.id === id);
  if (!found) throw new Error(`there is no check ${id}`);
  return found;
}

/** A companion for Gemini CLI and Qwen Code, and the means to check it. */
export type FamilySubject = Subject<Target, StartedCompanion>;

/** Runs one check, then closes and ends all that it has opened or started. */
async function runCheck(
  check: Check,
  subject: FamilySubject,
  parallel: ParallelCompanions,
): Promise<Outcome> {
  // What the parallel companions have done is evidence for each check that examines them.
  const own = new Evidence(subject.target.tokens.values());
  const evidence = check.lane === "parallel" ? parallel.evidence : own;
  const controller = new AbortController();
  setMaxListeners(0, controller.signal); // one for each request that is under way
  const { bench, wire, close } = createBench(check, {
    subject,
    parallel,
    evidence,
    signal: controller.signal,
  });
  return examine(check, {
    rules,
    evidence,
    missing: whoIsMissing(check, subject) ?? whatIsMissing(check, subject, subject.target.files.length > 0),
    within: subject.limits.check,
    run: () => check.run(bench),
    async close() {
      await close();
      controller.abort();
    },
    facts: () => ({ isUnanswered: wire.isUnanswered, clis: wire.sessionCount }),
  });
}

/** @returns that the companion does not serve the agent whose rules a check proves */
function whoIsMissing({ requirements }: Check, { target }: FamilySubject): string | undefined {
  const agent = agentOf(requirements);
  if (agent === undefined || agentsOf(target).includes(agent)) return undefined;
  return `the companion does not serve ${agents[agent].title}`;
}

/** The agent that some requirements are for; undefined when they are for all. */
function agentOf(ids: readonly string[]): AgentName | undefined {
  return ids.map((id) => requirementOf(id).agent).find((agent) => agent !== undefined);
}

interface BenchOptions {
  readonly subject: FamilySubject;
  readonly parallel: ParallelCompanions;
  readonly evidence: Evidence;
  readonly signal: AbortSignal;
}

function createBench(check: Check, { subject, parallel, evidence, signal }: BenchOptions) {
  const { target, limits } = subject;
  const wire = new Wire({ target, evidence, limits, signal });
  const common = createCommonMeans(check, subject, evidence, ({ tokens }) => {
    for (const token of tokens.values()) evidence.hide(token);
  });
  const bench: Bench = {
    ...common.means,
    target,
    agents: agentsOf(target),
    wire,
    parallel,
    note: (text) => evidence.note(text),
  };
  const close = async () => {
    await wire.close();
    await common.close();
  };
  return { bench, wire, close };
}
