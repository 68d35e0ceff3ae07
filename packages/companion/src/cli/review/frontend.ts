import { createHash, randomBytes } from "node:crypto";
import path from "node:path";
import type { Agent } from "../../agents/agent.ts";
import type { Sharing } from "../../core/sharing/sharing.ts";
import { type ReviewFrontend, startReviewFrontend } from "../../frontends/review/review-frontend.ts";
import { codeOf, messageOf } from "../../system/error-message.ts";
import { type Host, stateFolder } from "../../system/host.ts";
import { ensureOwnedFolder, readPrivateFile, writePrivateFile } from "../../system/private-file.ts";
import { version } from "../../version.ts";
import { bundledAssets } from "../editor-frontend.ts";
import type { Invocation } from "../invocation.ts";

/** What the page shows, and whom it serves. */
export interface Served {
  readonly roots: readonly string[];
  readonly agents: readonly Agent[];
  readonly sharing: Sharing;
}

/**
 * Opens the review page's server, at the port of the last run if that is free: then pages that were left open
 * find it again.
 */
export async function openFrontend(
  { roots, agents, sharing }: Served,
  { host, err, program }: Invocation,
): Promise<ReviewFrontend> {
  const file = memoryFile(roots, host);
  const { port, secret } = recallPage(file);
  const options = { roots, agents, sharing, version, secret, ...bundledAssets(program) };
  if (port !== undefined) {
    const frontend = await startReviewFrontend({ ...options, port }).catch(anywhereElse);
    if (frontend) return frontend;
    // The other one that runs keeps its port, and its place in the memory.
    return startReviewFrontend(options);
  }
  const frontend = await startReviewFrontend(options);
  try {
    rememberPage(file, { port: Number(new URL(frontend.url).port), secret });
  } catch (error) {
    // Nothing depends on it but the comfort of the next start.
    const reason = messageOf(error);
    err.line(err.paint.yellow(`Open pages will not find the next start again: ${reason}`));
  }
  return frontend;
}

/** A port that is taken, or forbidden since, is no reason not to start. */
function anywhereElse(error: unknown): undefined {
  const code = codeOf(error);
  if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
}

/** What lets the open pages of an earlier run come back by themselves. */
interface PageMemory {
  readonly port?: number;
  /** Signs the pages' cookies. */
  readonly secret: string;
}

/** Reads what an earlier run for the same folders has left; a new secret when there is nothing. */
export function recallPage(file: string): PageMemory {
  const known = parseMemory(readPrivateFile(file) ?? "");
  return known ?? { secret: randomBytes(32).toString("base64url") };
}

/** @throws Error of the file system, or FolderError when the folder is not ours alone */
export function rememberPage(file: string, memory: Required<PageMemory>): void {
  ensureOwnedFolder(path.dirname(file));
  writePrivateFile(file, `${JSON.stringify(memory)}\n`);
}

/** One file for each set of folders. */
export function memoryFile(roots: readonly string[], host: Host, platform = process.platform): string {
  const key = createHash("sha256").update(roots.toSorted().join("\0")).digest("hex").slice(0, 32);
  return path.join(stateFolder(host, platform), `${key}.json`);
}

function parseMemory(text: string): PageMemory | undefined {
  try {
    const { port, secret }: Readonly<Record<string, unknown>> = JSON.parse(text);
    if (typeof secret !== "string" || secret.length < 32 || !Number.isInteger(port)) return undefined;
    return { port: Number(port), secret };
  } catch {
    return undefined; // none yet, or damaged: pages are opened again
  }
}
