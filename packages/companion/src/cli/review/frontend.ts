import { randomBytes } from "node:crypto";
import path from "node:path";
import { hashOf } from "../../files/text-hash.ts";
import { toRealPath } from "../../files/workspace-path.ts";
import { createAccess } from "../../frontends/review/access.ts";
import { linkPath } from "../../frontends/review/http-surface.ts";
import {
  type ReviewFrontend,
  type ReviewFrontendOptions,
  startReviewFrontend,
} from "../../frontends/review/review-frontend.ts";
import { codeOf, messageOf } from "../../system/error-message.ts";
import { type Host, stateFolder } from "../../system/host.ts";
import { isObject, tryParseJson } from "../../system/json.ts";
import { ensureOwnedFolder, readPrivateFile, writePrivateFile } from "../../system/private-file.ts";
import { canConnect, createLoopbackFetch } from "../../transport/loopback.ts";
import { pageOptions } from "../editor-frontend.ts";
import { type Invocation, serving } from "../invocation.ts";

/**
 * Opens the review page's server, at the port of the last run if that is free: then pages that were left open
 * find it again.
 */
export async function openFrontend(
  served: Required<Pick<ReviewFrontendOptions, "roots" | "agents" | "sharing">>,
  invocation: Invocation,
): Promise<ReviewFrontend> {
  const { host, err } = invocation;
  const file = memoryFile(toCall(served.roots, invocation), host);
  const { port, secret } = recallPage(file);
  const options = { ...served, secret, ...pageOptions(invocation) };
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

/** How long a page that runs may take to answer, in milliseconds: one whose process is stopped never does. */
const patience = 1000;

/** Asks the page of an equal call, if one runs, for a link. @returns undefined where none runs */
export async function findRunningPage(
  roots: readonly string[],
  invocation: Invocation,
): Promise<string | undefined> {
  const { port, secret } = recallPage(memoryFile(toCall(roots, invocation), invocation.host));
  // Node takes long to load what a request needs, and mostly nobody is there.
  if (port === undefined || !(await canConnect("127.0.0.1", port))) return undefined;
  const fetch = createLoopbackFetch();
  try {
    const headers = { cookie: createAccess({ port, secret }).newCookie() };
    const signal = AbortSignal.timeout(patience);
    const response = await fetch(`http://127.0.0.1:${port}${linkPath}`, { headers, signal });
    const answer: unknown = await response.json();
    return isObject(answer) && typeof answer.link === "string" ? answer.link : undefined;
  } catch {
    return undefined; // nobody listens there, or somebody else
  } finally {
    fetch.close();
  }
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

/** Reads what an earlier run of an equal call has left; a new secret when there is nothing. */
export function recallPage(file: string): PageMemory {
  const known = parseMemory(readPrivateFile(file) ?? "");
  return known ?? { secret: randomBytes(32).toString("base64url") };
}

/** @throws Error of the file system, or FolderError when the folder is not ours alone */
export function rememberPage(file: string, memory: Required<PageMemory>): void {
  ensureOwnedFolder(path.dirname(file));
  writePrivateFile(file, `${JSON.stringify(memory)}\n`);
}

/** What tells one page from another: its folders, and everything that decides whom it serves and what they see. */
const toCall = (roots: readonly string[], { arguments: given }: Pick<Invocation, "arguments">) => [
  ...roots.map(toRealPath),
  ...["agent", ...serving.map(({ name }) => name)].flatMap((name) =>
    given.has(name) ? [`--${name}`, ...given.all(name)].join(" ") : [],
  ),
];

/** One file for each call. */
export function memoryFile(call: readonly string[], host: Host, platform = process.platform): string {
  const key = hashOf(call.toSorted().join("\0")).slice(0, 32);
  return path.join(stateFolder(host, platform), `${key}.json`);
}

function parseMemory(text: string): PageMemory | undefined {
  // None yet, or damaged: pages are opened again.
  const { port, secret } = Object(tryParseJson(text));
  const isValid = typeof secret === "string" && secret.length >= 32 && Number.isInteger(port);
  return isValid ? { port, secret } : undefined;
}
