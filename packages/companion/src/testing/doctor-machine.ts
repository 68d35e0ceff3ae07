import { once } from "node:events";
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { type SeedCompanionOptions, startSeedCompanion } from "../../../testkit/src/fake-companion.ts";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import type { AgentWithCli } from "../agents/agent.ts";
import { agents } from "../agents/agents.ts";
import { toTerminalEnv } from "../agents/discovery/announced.ts";
import { findCompanions, toAddress } from "../agents/discovery/find-companions.ts";
import { isSound } from "../agents/doctor/finding.ts";
import { judge } from "../cli/doctor/checks.ts";
import { gatherFacts, toIdeName } from "../cli/doctor/facts.ts";
import type { Host } from "../system/host.ts";
import type { ProcessTable } from "../system/processes/process-table.ts";
import { startCore } from "./core.ts";

function toAgent(name: string): AgentWithCli {
  const agent = agents.find((one) => one.name === name);
  if (!agent) throw new Error(`there is no agent ${name}`);
  return agent;
}

export const [gemini, qwen, claude, copilot, codex] = [
  toAgent("gemini"),
  toAgent("qwen"),
  toAgent("claude"),
  toAgent("copilot"),
  toAgent("codex"),
];

const asking = { ide: { enabled: true }, tools: { approvalMode: "default" } };

/** Settings with which a CLI connects and shows its diffs, by the files of the user's home. */
const settings = {
  ".gemini/settings.json": asking,
  ".qwen/settings.json": asking,
  ".claude.json": { autoConnectIde: true },
  ".claude/settings.json": { permissions: { ask: ["Edit", "Write"] } },
};

/** A machine on which all is well, except that there is no companion. */
export async function createMachine(env: Record<string, string> = {}) {
  const root = realpathSync(privateFolder());
  const put = (content: unknown, ...names: readonly string[]) => {
    const file = path.join(root, ...names);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
    return file;
  };
  const [tmp, home, folder] = ["tmp", "home", "project"].map((name) => path.join(root, name));
  for (const one of [tmp, home, folder]) mkdirSync(one ?? "");
  for (const [file, content] of Object.entries(settings)) put(content, "home", file);
  /** Puts a version of a CLI into the PATH, with what its package says. */
  const install = async ({ command, loadCli }: AgentWithCli, content: object = {}) => {
    const { packageName: name, knownVersion: version } = await loadCli();
    chmodSync(put("", "bin", command, command), 0o755);
    put({ name, version, ...content }, "bin", command, "package.json");
  };
  for (const agent of agents) await install(agent);
  const PATH = agents.map(({ command }) => path.join(root, "bin", command)).join(":");
  // Whether Gemini CLI is in a container is the matter of the tests with the real one.
  const all = { PATH, SSH_CONNECTION: "x", ...env };
  const host: Host = { tmp: tmp ?? "", home: home ?? "", env: all, delimiter: ":" };
  return { host, folder: folder ?? "", root, tmp: tmp ?? "", home: home ?? "", put, install };
}
export type Machine = Awaited<ReturnType<typeof createMachine>>;

export interface Asked {
  readonly env?: Host["env"];
  readonly processes?: ProcessTable;
  readonly platform?: NodeJS.Platform;
}

/** What the doctor says of a CLI. */
export async function examine(machine: Pick<Machine, "host" | "folder">, agent = gemini, asked: Asked = {}) {
  const { folder } = machine;
  const { env, processes = new Map(), ...terminal } = asked;
  const host = { ...machine.host, env: { ...machine.host.env, ...env } };
  const facts = await gatherFacts(agent, { ...terminal, host, folder, processes });
  const steps = judge(facts);
  for (const step of steps) expect(step.remedy !== undefined).toBe(step.result === "failed");
  return {
    agent,
    folder,
    steps,
    ide: toIdeName(facts),
    sound: isSound(steps),
    faults: steps.flatMap(({ id, remedy }) => (remedy === undefined ? [] : [[id, remedy]])),
    results: Object.fromEntries(steps.map(({ id, result }) => [id, result])),
    evidence: (id: string) => steps.find((step) => step.id === id)?.evidence.join("\n") ?? "",
  };
}

/** A companion by the specification alone, which knows Gemini CLI. */
export async function startSeed(machine: Machine, options: Partial<SeedCompanionOptions> = {}) {
  const companion = await startSeedCompanion({ tmp: machine.tmp, workspacePath: machine.folder, ...options });
  onTestFinished(() => companion.close());
  return companion;
}

/** A companion of ours that serves the project, or other folders. */
export const startCompanion = ({ tmp, home, folder }: Machine, roots = [folder]) =>
  startCore({ host: { tmp, home, env: {}, delimiter: ":" }, roots });

/** What `ide-companion run` sets, for an agent whose companion has this port. */
export async function toRunEnv({ host }: Machine, agent: AgentWithCli, port: number) {
  const findings = await findCompanions(host, [agent]);
  const found = findings.find((finding) => finding.result === "live" && finding.port === port);
  if (found?.result !== "live") throw new Error("there is no such companion");
  return toTerminalEnv(agent, toAddress(found), host);
}

/** A server that is no companion. @returns its port */
export async function startOther(): Promise<number> {
  const server = createServer((_, response) => response.writeHead(404).end("not here")).listen(
    0,
    "127.0.0.1",
  );
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Gemini CLI's file of somebody's companion. */
export function putFile(
  { put, folder }: Machine,
  port: number,
  content: object = {},
  pid = process.pid,
): string {
  const ideInfo = { name: "seed", displayName: "Seed" };
  const all = { port, workspacePath: folder, authToken: "secret", ideInfo, ...content };
  return put(all, "tmp", "gemini", "ide", `gemini-ide-server-${pid}-${port}.json`);
}

/** Claude Code's lock file of somebody's companion. */
export const putLock = ({ put }: Machine, port: number, content: object) =>
  put(
    { pid: process.pid, ideName: "Other", transport: "ws", authToken: "t", ...content },
    ...["home", ".claude", "ide", `${port}.lock`],
  );
