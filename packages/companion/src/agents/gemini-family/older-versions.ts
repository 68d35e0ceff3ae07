import { existsSync } from "node:fs";
import type { Host } from "../../system/host.ts";
import {
  ensureOwnedFolder,
  readPrivateFile,
  removeFile,
  writePrivateFile,
} from "../../system/private-file.ts";
import {
  lineageOf,
  type ProcessInfo,
  type ProcessTable,
  readProcessTable,
} from "../../system/processes/process-table.ts";
import type { AgentCli, LiveFinding } from "../agent.ts";
import { toAddress } from "../discovery/find-companions.ts";
import { findInstalledCli, isOlder } from "../installed-cli.ts";

/**
 * Older versions of a CLI open only the file under the id of the process that they take for their IDE's. Writes the
 * companion's file under that id, too, when such a version is about to be started here.
 * @returns removes what was written
 * @throws FolderError, or Error of the file system, when it cannot be written
 */
export async function writeProcessFiles(
  finding: LiveFinding,
  cli: AgentCli,
  host: Host,
): Promise<() => void> {
  const { agent } = finding;
  const version = findInstalledCli(agent, cli, host)?.package?.version;
  if (version === undefined || !isOlder(version, cli.oldestVersion)) return () => {};
  // The CLI will be our child: those above us are those above it.
  const pid = findIdeProcess(await readProcessTable(), process.pid, process.platform);
  const entries = agent
    .discoveryFiles({ ...toAddress(finding), pid }, host)
    .filter((entry) => !existsSync(entry.path));
  const written = entries.map(({ path: file, folders, content }) => {
    for (const folder of folders) ensureOwnedFolder(folder);
    const text = `${JSON.stringify(content, null, 2)}\n`;
    writePrivateFile(file, text);
    return { file, text };
  });
  return () => {
    for (const { file, text } of written) if (readPrivateFile(file) === text) removeFile(file);
  };
}

const shells = new Set(["zsh", "bash", "sh", "tcsh", "csh", "ksh", "fish", "dash"]);

/**
 * Finds the process that these versions take for the IDE: on Unix the grandparent of the first shell above them (its
 * parent when there is no grandparent), on Windows the process two below the topmost; themselves when in doubt.
 * @param pid where the walk up the processes begins
 */
export function findIdeProcess(table: ProcessTable, pid: number, platform: NodeJS.Platform): number {
  const lineage = lineageOf(table, pid);
  if (platform === "win32") return (lineage.at(-3) ?? lineage.at(-1))?.pid ?? pid;
  // The process with id 1 is nobody's shell and nobody's IDE.
  const walked = lineage.filter((process) => process.pid === pid || process.pid > 1);
  const shell = walked.find(({ name }) => shells.has(name));
  if (shell === undefined) return findTopmost(table, walked) ?? pid;
  const grandparent = table.get(shell.parentPid)?.parentPid ?? 0;
  return grandparent > 1 ? grandparent : shell.parentPid;
}

/** A process that is hidden from us still has an id. */
function findTopmost(table: ProcessTable, walked: readonly ProcessInfo[]): number | undefined {
  const last = walked.at(-1);
  const isHidden = last !== undefined && last.parentPid > 1 && !table.has(last.parentPid);
  return isHidden ? last.parentPid : last?.pid;
}
