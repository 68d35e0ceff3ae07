import { existsSync } from "node:fs";
import { holds } from "../../files/workspace-path.ts";
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
import { type FoundFile, readFoundFile } from "../discovery/found-file.ts";
import type { CliPackage } from "../doctor/program.ts";
import { findInstalledCli, isOlder } from "../installed-cli.ts";
import {
  type DetectedIde,
  type Endpoint,
  type Environment,
  type IdeVariables,
  type JudgedFile,
  type TerminalSigns,
  toIdeInfo,
  type WorkspaceCheck,
} from "./family-cli.ts";
import { findIdeProcess } from "./ide-process.ts";
import { type DiscoveryContent, parseDiscoveryContent } from "./read-discovery-file.ts";

/** The name under which a container reaches the machine that it runs on. */
export const containerHost = "host.docker.internal";

/** A file that could be read, with what is in it. */
export interface ReadableFile {
  readonly found: FoundFile;
  readonly content: DiscoveryContent;
}

/** A discovery file that a CLI opens, or why it can do nothing with it; undefined when there is none. */
export async function openFile(path: string): Promise<ReadableFile | JudgedFile | undefined> {
  const found = await readFoundFile(path);
  if (found === undefined) return undefined;
  if (found.text === undefined) return refuse({ found }, found.unreadable ?? "it cannot be read");
  const content = parseDiscoveryContent(found.text);
  return content === undefined ? refuse({ found }, "it is no JSON object") : { found, content };
}

export const isReadable = (file: ReadableFile | JudgedFile): file is ReadableFile => !("result" in file);

export const refuse = (
  file: { readonly found: FoundFile; readonly content?: DiscoveryContent },
  reason: string,
): JudgedFile => ({ ...file, result: "refused", reason });

/**
 * Compares the workspace that a file or a variable tells with the CLI's folder.
 * @param parse takes such a text apart as this CLI does
 */
export function checkWorkspace(
  text: string | undefined,
  source: string,
  folder: string,
  parse: (text: string) => readonly string[],
): WorkspaceCheck {
  if (text === undefined) return { result: "untold" };
  if (text === "") return { result: "none-open", source };
  const roots = parse(text);
  return { result: holds(roots, folder) ? "inside" : "outside", roots, source };
}

/** Why a file with this workspace is of no use, for people; undefined when it is. */
export function describeMismatch(check: WorkspaceCheck): string | undefined {
  switch (check.result) {
    case "inside":
      return undefined;
    case "outside":
      return `its IDE has other folders open: ${check.roots.join(", ") || "none that is absolute"}`;
    case "none-open":
      return "its IDE has no folder open";
    case "untold":
      return "it does not say which folders its IDE has open";
  }
}

/** The endpoints of a file, HTTP first as both CLIs have it. */
export function toEndpoints(
  { found, content }: ReadableFile,
  hosts: readonly string[],
  token: string | undefined,
): readonly Endpoint[] {
  const source = found.path;
  const { port, stdio } = content;
  return [
    ...(isPort(port) ? [{ kind: "http", hosts, port, token, source } as const] : []),
    ...(stdio ? [{ kind: "stdio", ...stdio, source } as const] : []),
  ];
}

/** The port that a variable names; undefined when it names none. */
export function portFromEnv({ host }: Environment, { port }: IdeVariables): number | undefined {
  const value = host.env[port] ?? "";
  return /^\d+$/.test(value) && isPort(Number(value)) ? Number(value) : undefined;
}

/** The command that variables name; arguments that are no JSON array are left out, as both CLIs do. */
export function stdioFromEnv({ host }: Environment, variables: IdeVariables): readonly Endpoint[] {
  const command = host.env[variables.stdioCommand];
  if (!command) return [];
  const args = parseArguments(host.env[variables.stdioArgs] ?? "[]");
  return [{ kind: "stdio", command, args, source: variables.stdioCommand }];
}

/**
 * The IDE by the name in its file, or else by the terminal, if the terminal is one that the CLI takes for an IDE's.
 * @param gate what the terminal must show; for people
 * @param fromEnv asked only behind the gate
 */
export function detectBy(
  { named, env }: TerminalSigns,
  gate: (env: TerminalSigns["env"]) => string | undefined,
  fromEnv: (sign: string) => DetectedIde,
): DetectedIde | undefined {
  if (named?.name && named.displayName) return { ide: toIdeInfo(named), sign: "its discovery file names it" };
  const sign = gate(env);
  return sign === undefined ? undefined : fromEnv(sign);
}

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

const isPort = (port: number | undefined): port is number => port !== undefined && port > 0 && port < 65_536;

function parseArguments(json: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.map(String) : [];
  } catch {
    return []; // not JSON
  }
}
