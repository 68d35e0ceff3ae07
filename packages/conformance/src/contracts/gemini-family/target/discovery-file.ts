import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { type AgentName, agentNames, agents, type FileKind, type FileTemplate } from "../../../agents.ts";
import type { SystemFolders } from "../../../target/folders.ts";
import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";

/** One discovery file, as it is; only its name has been checked. */
export interface DiscoveryFile {
  readonly kind: FileKind;
  readonly agent: AgentName;
  readonly path: string;
  /** From the name, if it has them. */
  readonly pid: number | undefined;
  readonly port: number | undefined;
  /** Undefined when it is no JSON object. */
  readonly content: Json | undefined;
}

interface KnownFile extends FileTemplate<FileKind> {
  readonly agent: AgentName;
  /** Matches the name; groups: `pid`, `port`. */
  readonly pattern: RegExp;
}

const knownFiles: readonly KnownFile[] = agentNames.flatMap((agent) =>
  agents[agent].files.map((template) => ({ ...template, agent, pattern: patternOf(template) })),
);

/** The kinds that today's CLIs read. */
export const currentFiles = knownFiles.filter(({ requirement }) => requirement !== undefined);
export const currentKinds: readonly FileKind[] = currentFiles.map(({ kind }) => kind);

/** Kinds in the order in which CLIs prefer them. */
const preference = [...currentFiles, ...knownFiles].map(({ kind }) => kind);

/** Sorts a companion's files: those that its CLIs prefer come first. */
export function byPreference(a: DiscoveryFile, b: DiscoveryFile): number {
  return preference.indexOf(a.kind) - preference.indexOf(b.kind);
}

/** @throws Error for a kind that is not in the table */
export function fileOf(kind: FileKind): KnownFile {
  const found = knownFiles.find((known) => known.kind === kind);
  if (!found) throw new Error(`there is no kind of discovery file ${kind}`);
  return found;
}

/** The folder in which files of a kind are. */
export function folderOf(kind: FileKind, { tmp, homes }: SystemFolders): string {
  const { path, agent } = fileOf(kind);
  const [root, ...steps] = posix.dirname(path).split("/");
  return join((root === "<home>" ? homes[agent] : undefined) ?? tmp, ...steps);
}

/** The name of a file of this kind. */
export function nameOf(kind: FileKind, { pid, port }: { pid: number; port: number }): string {
  return posix.basename(fileOf(kind).path).replace("<pid>", String(pid)).replace("<port>", String(port));
}

/** What a name says of a file in a folder; undefined for all other files. */
export function recognise(folder: string, name: string, systemFolders: SystemFolders) {
  for (const { kind, agent, pattern } of knownFiles) {
    const groups = folderOf(kind, systemFolders) === folder ? pattern.exec(name)?.groups : undefined;
    const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
    if (groups)
      return { kind, agent, path: join(folder, name), pid: number(groups.pid), port: number(groups.port) };
  }
  return undefined;
}

/** Every discovery file there is. */
export async function readDiscoveryFiles(systemFolders: SystemFolders): Promise<DiscoveryFile[]> {
  const files: DiscoveryFile[] = [];
  for (const folder of new Set(knownFiles.map(({ kind }) => folderOf(kind, systemFolders)))) {
    for (const name of await namesIn(folder)) {
      const known = recognise(folder, name, systemFolders);
      const text = known && (await textOf(known.path));
      if (known === undefined || text === undefined) continue;
      const content = parseJson(text);
      files.push({ ...known, content: isJson(content) ? content : undefined });
    }
  }
  return files;
}

function patternOf({ path }: FileTemplate): RegExp {
  const source = posix
    .basename(path)
    .replaceAll(".", "\\.")
    .replace(/<(pid|port)>/g, "(?<$1>\\d+)")
    .replace("<number>", "(?<number>\\d+)");
  return new RegExp(`^${source}$`);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return []; // no such folder, or not readable for us: no files either way
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined; // deleted meanwhile, or not readable for us
  }
}
