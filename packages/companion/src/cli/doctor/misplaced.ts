import { readFile } from "node:fs/promises";
import path from "node:path";
import { agents, holds, toUnset } from "../../agents/index.ts";
import { findCompanions } from "../../client/find-companions.ts";
import type { Scene } from "./scene.ts";

/**
 * Where companion and CLI have other ideas of where the files are, each looks in a folder of its own.
 * @returns the remedy, when a companion serves this folder and only a variable keeps the CLI from its file
 */
export async function findMisplaced(scene: Scene): Promise<string | undefined> {
  const { agent, cli, host, folder } = scene;
  const { envSources = {} } = scene.surroundings;
  if (await isInUsualFolder(scene)) {
    if (envSources.TMPDIR !== undefined) return toUnset("TMPDIR", envSources);
    return `Start the CLI without TMPDIR: env -u TMPDIR ${agent.command}`;
  }
  const findings = await findCompanions(host, agents);
  const servers = findings.flatMap((finding) =>
    finding.verdict === "live" && holds(finding.roots, folder)
      ? (finding.content.serverPid ?? finding.pid ?? [])
      : [],
  );
  for (const pid of new Set(servers)) {
    const theirs = await readEnvironment(pid);
    const other = theirs && cli.placeVariables.find((name) => theirs[name] !== host.env[name]);
    if (other === undefined || theirs === undefined) continue;
    const value = theirs[other];
    if (envSources[other] !== undefined) return toUnset(other, envSources);
    return value === undefined
      ? `Start the CLI without ${other}, as the companion was: env -u ${other} ${agent.command}`
      : `Start the CLI with ${other} as the companion has it: ${other}=${value} ${agent.command}`;
  }
  return undefined;
}

/** Whether a companion of this folder has its file where it lies for everybody who has no folder of his own. */
async function isInUsualFolder({ agent, host, folder }: Scene): Promise<boolean> {
  const usual = { ...host, tmp: "/tmp" };
  const own = agent.discoveryFolders(host).map((each) => each.path);
  const findings = await findCompanions(usual, [agent]);
  return findings.some(
    (finding) =>
      finding.verdict === "live" && !own.includes(path.dirname(finding.file)) && holds(finding.roots, folder),
  );
}

/** The variables that a process was started with; only Linux tells, and only of our own. */
async function readEnvironment(pid: number): Promise<Readonly<Record<string, string>> | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/environ`, "utf8");
    const pairs = text
      .split("\0")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
    return Object.fromEntries(pairs);
  } catch {
    return undefined; // another system, or another user's process
  }
}
