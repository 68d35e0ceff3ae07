import { existsSync } from "node:fs";
import type { Host } from "../../system/host.ts";
import {
  ensureOwnedFolder,
  readPrivateFile,
  removeFile,
  writePrivateFile,
} from "../../system/private-file.ts";
import { readProcessTable } from "../../system/processes/process-table.ts";
import type { LiveFinding } from "../agent.ts";
import { toAddress } from "../discovery/find-companions.ts";
import type { CliPackage } from "../doctor/program.ts";
import { findInstalledCli, isOlder } from "../installed-cli.ts";
import { findIdeProcess } from "./ide-process.ts";

/**
 * Older versions of a CLI open only the file under the id of the process that they take for their IDE's. Writes the
 * companion's file under that id, too, when such a version is about to be started here.
 * @returns removes what was written
 * @throws FolderError, or Error of the file system, when it cannot be written
 */
export async function writeProcessFiles(
  finding: LiveFinding,
  cli: CliPackage,
  host: Host,
): Promise<() => void> {
  const { agent } = finding;
  const version = findInstalledCli(agent, cli, host)?.package?.version;
  if (version === undefined || !isOlder(version, cli.oldestVersion)) return () => {};
  const { platform, pid } = process;
  // The CLI will be our child: those above us are those above it.
  const ideProcess = findIdeProcess({ table: await readProcessTable(), pid, platform });
  const entries = agent
    .discoveryFiles({ ...toAddress(finding), pid: ideProcess.pid }, host)
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
