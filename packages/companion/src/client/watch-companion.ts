import { type WatchDecision, WatchNews, type WatchReport } from "../agents/gemini-family/contract/health.ts";
import type { LoopbackFetch } from "../transport/loopback.ts";

export type { WatchDecision, WatchNews, WatchReport };

export interface WatchQuestion {
  readonly port: number;
  readonly token: string;
  readonly fetch: LoopbackFetch;
  readonly signal: AbortSignal;
}

/** Something serves the port, but nothing that tells what it does: a companion that is not of this kind. */
export class UnwatchableError extends Error {
  override readonly name = "UnwatchableError";
}

/**
 * Everything that is to be seen of a companion: its state at once and after every change, and every decision.
 * Ends when the companion does.
 * @throws UnwatchableError when it does not tell
 * @throws Error when the connection fails, or `signal` is aborted
 */
export async function* watchCompanion({
  port,
  token,
  fetch,
  signal,
}: WatchQuestion): AsyncGenerator<WatchNews> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${port}/watch`, { headers, signal });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (!response.ok || !isStream || response.body === null) {
    await response.body?.cancel();
    throw new UnwatchableError(`port ${port} answered ${response.status}`);
  }
  for await (const line of splitLines(response.body.pipeThrough(new TextDecoderStream()))) {
    if (!line.startsWith("data: ")) continue;
    const news = WatchNews.safeParse(JSON.parse(line.slice("data: ".length)));
    // News of a kind that a later companion tells is not for us.
    if (news.success) yield news.data;
  }
}

async function* splitLines(chunks: ReadableStream<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
