import { readdir } from "node:fs/promises";
import path from "node:path";
import { holds, isInside, toRealPath } from "../../../files/workspace-path.ts";
import { messageOf } from "../../../system/error-message.ts";
import type { Host } from "../../../system/host.ts";
import { pidIsAlive } from "../../../system/liveness.ts";
import type { Announcement, DiscoveryFolder } from "../../agent.ts";
import { type FoundFile, readFoundFile } from "../../discovery/found-file.ts";

/** A lock file as the CLI sees it. */
export interface JudgedLock {
  readonly found: FoundFile;
  readonly result: "fits" | "refused";
  /** For people, the end of a sentence. */
  readonly reason: string;
  /** Absent where it is no lock file. */
  readonly content?: Announcement;
  /** Whether its editor has the CLI's folder open, which the CLI may not see. */
  readonly isForFolder: boolean;
}

/** What the CLI finds at its start. */
export interface Search {
  /** Newest first. */
  readonly locks: readonly JudgedLock[];
  /** It connects where exactly one lock fits. */
  readonly chosen: (JudgedLock & { readonly content: Announcement }) | undefined;
}

export interface SearchPlace {
  readonly host: Host;
  /** Absolute, without symlinks; where the CLI is started. */
  readonly folder: string;
  /** The processes above the CLI, nearest first. */
  readonly lineage: readonly number[];
  /** Where lock files are. */
  readonly folders: readonly DiscoveryFolder[];
}

/** How far it walks up for the process of a lock. */
const maxAncestors = 10;

/** Looks for companions as the CLI does, without deleting anything. */
export async function search(place: SearchPlace): Promise<Search> {
  const found = await Promise.all(place.folders.map((folder) => readFolder(folder, place)));
  const locks = found.flat().toSorted((a, b) => b.found.writtenAt - a.found.writtenAt);
  const fitting = locks.filter(isFitting);
  const named = fitting.find(({ content }) => String(content.port) === place.host.env.CLAUDE_CODE_SSE_PORT);
  return { locks, chosen: named ?? (fitting.length === 1 ? fitting[0] : undefined) };
}

const isFitting = (lock: JudgedLock): lock is JudgedLock & { readonly content: Announcement } =>
  lock.result === "fits" && lock.content !== undefined;

async function readFolder(folder: DiscoveryFolder, place: SearchPlace): Promise<readonly JudgedLock[]> {
  const names = await readdir(folder.path).catch(() => []); // missing, or closed to us
  const locks = names.map(async (name): Promise<readonly JudgedLock[]> => {
    const named = folder.parseName(name);
    const found = named && (await readFoundFile(path.join(folder.path, name)));
    if (!named || !found) return [];
    if (found.text === undefined) return [refuse(found, found.unreadable ?? "it cannot be read")];
    try {
      const content = await folder.read(found.text, named, place.host);
      return [{ found, content, ...judge(content, place) }];
    } catch (error) {
      return [refuse(found, messageOf(error))];
    }
  });
  return (await Promise.all(locks)).flat();
}

const refuse = (found: FoundFile, reason: string): JudgedLock => ({
  found,
  result: "refused",
  reason,
  isForFolder: false,
});

function judge(content: Announcement, place: SearchPlace): Omit<JudgedLock, "found"> {
  const { pid, roots } = content;
  const isAlive = pid === undefined || pidIsAlive(pid);
  const isForFolder = isAlive && holds(roots, place.folder);
  const fault = isAlive
    ? describeFault(content, place)
    : `its process ${pid} is gone: Claude Code deletes it`;
  if (fault !== undefined) return { result: "refused", reason: fault, isForFolder };
  const isNamed = place.host.env.CLAUDE_CODE_SSE_PORT === String(content.port);
  const reason = isNamed ? "CLAUDE_CODE_SSE_PORT names its port" : `it has ${roots.join(", ")} open`;
  return { result: "fits", reason, isForFolder };
}

/** Why the CLI passes over the lock of a companion that runs; undefined when it does not. */
function describeFault(
  { pid, port, roots }: Announcement,
  { host: { env }, folder, lineage }: SearchPlace,
): string | undefined {
  if (env.CLAUDE_CODE_SSE_PORT === String(port)) return undefined;
  const terminal = editorTerminal(env);
  if (terminal !== undefined && !lineage.slice(0, maxAncestors).some((above) => above === pid)) {
    return `its process ${pid ?? "(none)"} is not above this terminal, which is an editor's: ${terminal}`;
  }
  if (env.CLAUDE_CODE_IDE_SKIP_VALID_CHECK === "true") return undefined;
  if (roots.some((root) => isInside(folder, path.resolve(root)))) return undefined;
  const link = roots.find((root) => isInside(folder, toRealPath(root)));
  if (link === undefined) return `its editor has other folders open: ${roots.join(", ") || "none"}`;
  return `it names ${link}, a symlink: Claude Code wants the real path, ${toRealPath(link)}`;
}

/** What makes the CLI take its terminal for an editor's: then only that editor's lock fits. */
export function editorTerminal(env: Host["env"]): string | undefined {
  if (env.TERM_PROGRAM === "vscode") return "TERM_PROGRAM=vscode";
  if (/jetbrains/i.test(env.TERMINAL_EMULATOR ?? "")) return `TERMINAL_EMULATOR=${env.TERMINAL_EMULATOR}`;
  return env.FORCE_CODE_TERMINAL ? "FORCE_CODE_TERMINAL is set" : undefined;
}
