import { once } from "node:events";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { type SeedCompanionOptions, startSeedCompanion } from "../../../testkit/src/fake-companion.ts";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import type { AgentWithCli } from "../agents/agent.ts";
import { agents } from "../agents/agents.ts";
import { isSound } from "../agents/doctor/step.ts";
import type { Host } from "../system/host.ts";
import type { ProcessTable } from "../system/processes/process-table.ts";
import { startCore } from "./core.ts";

export const [gemini, qwen] = agents as readonly [AgentWithCli, AgentWithCli];

/** A machine on which all is well, except that there is no companion. */
export function createMachine(env: Record<string, string> = {}) {
  const root = realpathSync(privateFolder());
  const make = (...names: readonly string[]) => {
    const folder = path.join(root, ...names);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const [tmp, home, folder, bin] = [make("tmp"), make("home"), make("project"), make("bin")];
  for (const { command } of agents) {
    const script = path.join(make("lib", command), "cli.js");
    writeFileSync(script, "");
    symlinkSync(script, path.join(bin, command));
    const settings = { ide: { enabled: true }, tools: { approvalMode: "default" } };
    writeFileSync(path.join(make("home", `.${command}`), "settings.json"), JSON.stringify(settings));
  }
  const pkg = (command: string, content: object) =>
    writeFileSync(path.join(root, "lib", command, "package.json"), JSON.stringify(content));
  pkg("gemini", { name: "@google/gemini-cli", version: "0.61.0" });
  pkg("qwen", { name: "@qwen-code/qwen-code", version: "0.24.4" });
  // What containers are to Gemini CLI is checked in the tests of its search.
  const host: Host = { tmp, home, env: { PATH: bin, SSH_CONNECTION: "x", ...env }, delimiter: ":" };
  return { host, folder, root, tmp, home, pkg };
}
export type Machine = ReturnType<typeof createMachine>;

export async function examine(machine: Machine, agent = gemini, processes: ProcessTable = new Map()) {
  const { host, folder } = machine;
  const diagnosis = await (await agent.loadCli()).diagnose(agent, { host, folder, processes }, agents);
  const sound = isSound(diagnosis.steps);
  const faults = diagnosis.steps.filter(({ result }) => result === "failed");
  for (const step of diagnosis.steps) expect(step.remedy !== undefined).toBe(step.result === "failed");
  expect(sound).toBe(faults.length === 0);
  const results = Object.fromEntries(diagnosis.steps.map(({ id, result }) => [id, result]));
  return {
    ...diagnosis,
    agent,
    folder,
    sound,
    faults: faults.map(({ id, remedy }) => [id, remedy]),
    results,
  };
}

export async function startSeed(machine: Machine, options: Partial<SeedCompanionOptions> = {}) {
  const companion = await startSeedCompanion({ tmp: machine.tmp, workspacePath: machine.folder, ...options });
  onTestFinished(() => companion.close());
  return companion;
}

/** A companion of ours that serves the project. */
export async function startCompanion({ tmp, home, folder }: Machine): Promise<{ close(): Promise<void> }> {
  const { companion } = await startCore({ host: { tmp, home, env: {}, delimiter: ":" }, roots: [folder] });
  return companion;
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

export function putFile(
  { tmp, folder }: Machine,
  port: number,
  content: object = {},
  pid = process.pid,
): string {
  mkdirSync(path.join(tmp, "gemini", "ide"), { recursive: true });
  const file = path.join(tmp, "gemini", "ide", `gemini-ide-server-${pid}-${port}.json`);
  const ideInfo = { name: "seed", displayName: "Seed" };
  const text = JSON.stringify({ port, workspacePath: folder, authToken: "secret", ideInfo, ...content });
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}
