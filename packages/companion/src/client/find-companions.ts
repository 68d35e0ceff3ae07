import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Agent, DiscoveryFolder } from "../agents/agent.ts";
import { isAbandoned, parseOwners } from "../agents/discovery/owners.ts";
import { DiscoveryFile } from "../agents/gemini-family/contract/discovery.ts";
import { parseWorkspacePath } from "../files/workspace-path.ts";
import type { Host } from "../system/host.ts";
import { pidIsAlive, portIsServed } from "../system/liveness.ts";
import { readPrivateFile } from "../system/private-file.ts";

/** A discovery file, and what is to be thought of it. */
export type Finding = LiveFinding | DeadFinding;

interface FoundFile {
  readonly agent: Agent;
  /** Absolute path. */
  readonly file: string;
}

/** The endpoint of a companion that runs. */
export interface LiveFinding extends FoundFile {
  readonly result: "live";
  readonly content: DiscoveryFile;
  /** Absolute paths. */
  readonly roots: readonly string[];
  /** The editor's process, as far as the file tells. */
  readonly pid: number | undefined;
  /** When the file was written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** A file that leads nowhere: its companion has gone, or it is no discovery file. */
export interface DeadFinding extends FoundFile {
  readonly result: "stale" | "damaged";
  /** For people, as the end of a sentence: `process 123 is gone`. */
  readonly reason: string;
}

/** Finds every discovery file of our user, those that other companions have written included. */
export async function findCompanions(
  host: Host,
  agents: readonly Agent[],
  isAlive: (pid: number) => boolean = pidIsAlive,
): Promise<readonly Finding[]> {
  const searches = agents.flatMap((agent) =>
    agent.discoveryFolders(host).map((folder) => searchFolder(agent, folder, host, isAlive)),
  );
  return (await Promise.all(searches)).flat();
}

async function searchFolder(
  agent: Agent,
  folder: DiscoveryFolder,
  host: Host,
  isAlive: (pid: number) => boolean,
): Promise<readonly Finding[]> {
  // A folder that is missing or closed to us holds nothing for us.
  const names = await readdir(folder.path).catch(() => []);
  const findings = names.map((name) => {
    const named = folder.parseName(name);
    return named && judge({ agent, file: path.join(folder.path, name) }, named, host, isAlive);
  });
  return (await Promise.all(findings)).filter((finding) => finding !== undefined);
}

async function judge(
  found: FoundFile,
  named: { readonly pid?: number; readonly port?: number },
  host: Host,
  isAlive: (pid: number) => boolean,
): Promise<Finding | undefined> {
  const text = readPrivateFile(found.file);
  if (text === undefined) return undefined;
  const owners = parseOwners(text, named);
  if (isAbandoned(owners, isAlive)) {
    const gone = [owners.server, ...owners.editors].find((pid) => pid !== undefined && !isAlive(pid));
    return { ...found, result: "stale", reason: `process ${gone} is gone` };
  }
  const content = DiscoveryFile.safeParse(parseJson(text));
  if (!content.success) return { ...found, result: "damaged", reason: describe(content.error) };
  const { port, workspacePath = "" } = content.data;
  if (named.port !== undefined && named.port !== port) {
    return { ...found, result: "damaged", reason: `its name says port ${named.port}, its content ${port}` };
  }
  if (!(await portIsServed(port))) {
    return { ...found, result: "stale", reason: `nothing of yours listens on port ${port}` };
  }
  const written = await stat(found.file).catch(() => undefined); // removed in this moment
  return {
    ...found,
    result: "live",
    content: content.data,
    roots: parseWorkspacePath(workspacePath, host),
    pid: owners.editors[0] ?? owners.server,
    writtenAt: written?.mtimeMs ?? 0,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the schema says what is wrong
  }
}

function describe({
  issues,
}: {
  readonly issues: readonly { path: PropertyKey[]; message: string }[];
}): string {
  const [first] = issues;
  const field = first?.path.join(".") ?? "";
  return field === "" ? "it is not a JSON object" : `${field}: ${first?.message}`;
}
