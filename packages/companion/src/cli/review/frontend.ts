import type { Agent } from "../../agents/agent.ts";
import type { Sharing } from "../../core/sharing/sharing.ts";
import { type ReviewFrontend, startReviewFrontend } from "../../frontends/review/review-frontend.ts";
import { messageOf } from "../../system/error-message.ts";
import { version } from "../../version.ts";
import { bundledAssets } from "../bundled-assets.ts";
import type { Invocation } from "../invocation.ts";
import { memoryFile, recallPage, rememberPage } from "./page-memory.ts";

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
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
}
