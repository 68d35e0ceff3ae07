import { HealthReport } from "../agents/gemini-family/contract/health.ts";
import { tryParseJson } from "../system/json.ts";
import type { LoopbackFetch } from "../transport/loopback.ts";

export type { HealthReport };

/** A companion of this machine that is asked for its health. */
export interface HealthQuestion {
  readonly port: number;
  readonly token: string;
  readonly fetch: LoopbackFetch;
  readonly signal?: AbortSignal;
}

/**
 * Asks a companion how it is.
 * @throws Error when nothing answers there, or not as this companion does
 */
export async function readHealth({ port, token, fetch, signal }: HealthQuestion): Promise<HealthReport> {
  const response = await fetch(`http://127.0.0.1:${port}/health`, {
    headers: { authorization: `Bearer ${token}` },
    ...(signal && { signal }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`port ${port} answered ${response.status}`);
  const report = HealthReport.safeParse(tryParseJson(text));
  // Without the right token a companion only says that it is alive: another one has taken the port.
  if (!report.success) throw new Error(`port ${port} is served by something else`);
  return report.data;
}
