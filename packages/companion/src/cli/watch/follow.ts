import { setTimeout as wait } from "node:timers/promises";
import type { LiveFinding } from "../../agents/agent.ts";
import { chooseCompanion, isSameCompanion } from "../../agents/discovery/find-companions.ts";
import { UnwatchableError, type WatchNews, watchCompanion } from "../../client/watch-companion.ts";
import type { LoopbackFetch } from "../../transport/loopback.ts";

/** How often a companion is looked for while there is none, in milliseconds. */
const searchInterval = 500;

/** What happens to one who watches a folder's companion. */
export type WatchEvent =
  | WatchNews
  /** No companion serves the folder; `silent` is one that does, but does not report what it does. */
  | { readonly kind: "waiting"; readonly silent?: LiveFinding }
  | { readonly kind: "found"; readonly finding: LiveFinding }
  /** It has gone. */
  | { readonly kind: "lost" };

export interface FollowOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly find: () => Promise<readonly LiveFinding[]>;
  readonly fetch: LoopbackFetch;
  readonly signal: AbortSignal;
}

/**
 * Watches the companion of a folder, and the next one when that has gone, for as long as it is let.
 * @throws Error when `signal` is aborted
 */
export async function* follow(options: FollowOptions): AsyncGenerator<WatchEvent> {
  const silent = new Map<number, LiveFinding>();
  let isWaiting = false;
  for (;;) {
    const finding = await choose(options, silent);
    if (finding) {
      isWaiting = false;
      yield* watchOne(finding, options, () => silent.set(finding.port, finding));
    } else if (!isWaiting) {
      isWaiting = true;
      const [known] = silent.values();
      yield { kind: "waiting", ...(known && { silent: known }) };
    }
    await wait(searchInterval, undefined, { signal: options.signal });
  }
}

async function choose(
  { find, folder, env }: FollowOptions,
  silent: Map<number, LiveFinding>,
): Promise<LiveFinding | undefined> {
  const live = await find();
  for (const port of silent.keys()) {
    if (!live.some((finding) => finding.port === port)) silent.delete(port);
  }
  const answering = live.filter((finding) => !silent.has(finding.port));
  const chosen = chooseCompanion(answering, folder, env)?.chosen;
  // An agent's port may tell nothing.
  const own = answering.find((finding) => finding.agent.isOwn && chosen && isSameCompanion(finding, chosen));
  return own ?? chosen;
}

async function* watchOne(
  finding: LiveFinding,
  { fetch, signal }: FollowOptions,
  onSilent: () => void,
): AsyncGenerator<WatchEvent> {
  const { port, token = "" } = finding;
  let isFound = false;
  try {
    for await (const news of watchCompanion({ port, token, fetch, signal })) {
      if (!isFound) yield { kind: "found", finding };
      isFound = true;
      yield news;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UnwatchableError) onSilent();
    // Everything else is how a connection ends.
  }
  if (isFound) yield { kind: "lost" };
}
