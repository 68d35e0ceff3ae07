import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { messageOf } from "../../../system/error-message.ts";
import { createLoopbackFetch, type LoopbackFetch } from "../../../transport/loopback.ts";
import { version } from "../../../version.ts";
import { type IdeContext, notifications } from "../contract/context.ts";
import type { HttpEndpoint, StdioEndpoint } from "../family-cli.ts";

/** How long a companion may take for one answer, in milliseconds. */
const patience = 5000;

/** One HTTP exchange, as far as it went. */
export interface Exchange {
  readonly method: string;
  /** The JSON-RPC method of a POST. */
  readonly rpc: string | undefined;
  readonly status: number;
  readonly type: string;
  /** The body of an answer that is none. */
  readonly refusal: string;
}

/** What a companion did when it was spoken to as its CLI would. */
export interface ProbeReport {
  /** Its name and version, once it has answered `initialize`. */
  readonly server?: string;
  /** Why `initialize` failed. */
  readonly fault?: string;
  /** Over HTTP only, oldest first. */
  readonly exchanges: readonly Exchange[];
  readonly tools: readonly string[];
  /** What it sent first of what the user looks at. */
  readonly context: IdeContext | undefined;
}

type Transport = StreamableHTTPClientTransport | StdioClientTransport;

/** Speaks with a companion over HTTP. Opens a session, and ends it. */
export async function probeHttp(host: string, { port, token }: HttpEndpoint): Promise<ProbeReport> {
  const exchanges: Exchange[] = [];
  const fetch = createLoopbackFetch();
  const transport = new StreamableHTTPClientTransport(new URL(`http://${host}:${port}/mcp`), {
    requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
    fetch: (url, init) => record(fetch, exchanges, url, init),
  });
  try {
    return await probe(transport, exchanges, async () => {
      await until(() => exchanges.some(({ method }) => method === "GET"));
      return () => transport.terminateSession();
    });
  } finally {
    fetch.close();
  }
}

/** Speaks with a companion that is started for it, and ends it. */
export function probeStdio({ command, args }: StdioEndpoint): Promise<ProbeReport> {
  const transport = new StdioClientTransport({ command, args: [...args], stderr: "ignore" });
  return probe(transport, [], async () => async () => {});
}

async function probe(
  transport: Transport,
  exchanges: readonly Exchange[],
  settle: () => Promise<() => Promise<void>>,
): Promise<ProbeReport> {
  const info = { name: "ide-companion-doctor", title: "ide-companion doctor", version };
  // Announced, so that the companion does not show us as a CLI.
  const client = new Client(info, { capabilities: { experimental: { ideCompanion: { version: 1 } } } });
  let context: IdeContext | undefined;
  const { method, params } = notifications.contextUpdate;
  client.setNotificationHandler(method, { params }, (update) => {
    context ??= update;
  });
  try {
    await client.connect(transport, { timeout: patience });
  } catch (error) {
    await client.close().catch(() => {}); // it never was open
    return { fault: messageOf(error), exchanges, tools: [], context };
  }
  const end = await settle();
  const tools = await listTools(client);
  // It is sent as soon as the stream is open, if it is sent at all.
  if (tools.length > 0) await until(() => context !== undefined, 300);
  const server = client.getServerVersion();
  await end().catch(() => {}); // most companions know no goodbye
  await client.close();
  return {
    server: `${server?.name ?? "a server"} ${server?.version ?? ""}`.trim(),
    exchanges,
    tools,
    context,
  };
}

async function listTools(client: Client): Promise<readonly string[]> {
  try {
    const { tools } = await client.request({ method: "tools/list", params: {} }, { timeout: patience });
    return tools.map(({ name }) => name);
  } catch {
    return []; // it has none, and the CLI thinks so too
  }
}

async function record(
  fetch: LoopbackFetch,
  exchanges: Exchange[],
  url: string | URL,
  init: RequestInit = {},
): Promise<Response> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  const refusal = response.ok || status === 405 ? "" : (await response.text()).slice(0, 1000);
  const method = init.method ?? "GET";
  exchanges.push({ method, rpc: rpcOf(init), status, type: headers.get("content-type") ?? "", refusal });
  return refusal === "" ? response : new Response(refusal, { status, headers });
}

function rpcOf({ body }: RequestInit): string | undefined {
  if (typeof body !== "string") return undefined;
  return /"method":"([^"]+)"/.exec(body)?.[1];
}

/** Waits for what comes soon or not at all. */
async function until(holds: () => boolean, within = 2000): Promise<void> {
  const deadline = performance.now() + within;
  while (!holds() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
}
