import { stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream";
import { fileURLToPath } from "node:url";
import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Agent } from "../../agents/agent.ts";
import { spokenAgents } from "../../client/companion-client.ts";
import { openHttp } from "../../client/transport.ts";
import { messageOf } from "../../system/error-message.ts";
import { errorCodes } from "../../transport/json-rpc.ts";
import { createLineLimit } from "../../transport/line-limit.ts";
import { maxMessageBytes, tooLong } from "../../transport/message-limit.ts";
import { version } from "../../version.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { createLifetime } from "../review/lifetime.ts";
import { findServing } from "../serving.ts";
import { createEditorLink } from "./editor-link.ts";
import { createToolServer } from "./tool-server.ts";

/** How long an agent may take to say which folders it works in, in milliseconds. */
const patience = 2000;

/** Serves the agent that has started us, over standard input and output, until it ends. */
export async function runMcp(invocation: Invocation): Promise<number> {
  if (process.stdin.isTTY) {
    throw new UsageError(
      "mcp is started by an agent, which talks with it on standard input: this is a terminal",
    );
  }
  const [given] = invocation.arguments.all("folder");
  const folder = path.resolve(invocation.folder, given ?? "");
  if (given !== undefined && !(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw new UsageError(`there is no folder ${folder}`);
  }
  const [agent] = invocation.arguments.all("agent");
  return agent === undefined ? serveTools(invocation, folder) : serveIdeMode(invocation, folder, agent);
}

async function serveTools({ host }: Invocation, folder: string): Promise<number> {
  let server: Server | undefined;
  const link = createEditorLink({
    host,
    folders: async () => [folder, ...(await rootsOf(server))],
    name: () => server?.getClientVersion() ?? { name: "mcp", title: "Agent", version },
  });
  const transport = openStdio();
  const handle = serveStdio(
    ({ era }) => {
      const served = createToolServer({ link, host, folder }, era === "modern");
      server = served;
      served.oninitialized = link.keep;
      return served;
    },
    { transport },
  );
  const lifetime = createLifetime({ endsWithInput: true });
  const exitCode = await lifetime.ended;
  await handle.close();
  await link.close();
  lifetime.close();
  return exitCode;
}

/** Standard input and output, each message a line. The library copies a long one again with each piece that comes. */
function openStdio(): StdioServerTransport {
  const lines = createLineLimit(() => {
    const error = { code: errorCodes.invalidRequest, message: `The message is ${tooLong}` };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: null, error })}\n`);
  });
  // Its end and its error are the ones of the lines.
  pipeline(process.stdin, lines, () => {});
  return new StdioServerTransport(lines, process.stdout, { maxBufferSize: maxMessageBytes });
}

/** The folders that the agent says it works in, where it says so. */
async function rootsOf(server: Server | undefined): Promise<readonly string[]> {
  if (!server?.getClientCapabilities()?.roots) return [];
  try {
    const { roots } = await server.listRoots({}, { timeout: patience });
    return roots.filter(({ uri }) => uri.startsWith("file:")).map(({ uri }) => fileURLToPath(uri));
  } catch {
    return []; // it has none to tell, or takes too long: the present folder has to do
  }
}

async function serveIdeMode(invocation: Invocation, folder: string, name: string): Promise<number> {
  const agent = spokenAgents.find((candidate) => candidate.name === name && !candidate.isOwn);
  if (!agent) throw new UsageError(`there is no agent ${name}`);
  // By any agent's files: a CLI starts us with hardly a variable, and not all of them are found then.
  const serving = await findServing(invocation, { agents: spokenAgents, folders: [folder] });
  if (!serving) return exitCodes.failure;
  const { port, token = "" } = serving.chosen;
  const bridge = await startBridge({ port, token, agent });
  const lifetime = createLifetime({ endsWithInput: true });
  const exitCode = await Promise.race([
    bridge.ended.then((byCli) => (byCli ? exitCodes.ok : exitCodes.failure)),
    lifetime.ended,
  ]);
  await bridge.close();
  lifetime.close();
  process.stdin.destroy();
  return exitCode;
}

interface BridgeOptions {
  readonly port: number;
  readonly token: string;
  /** The CLI at the other end of standard input and output. */
  readonly agent: Agent;
}

/**
 * Passes every message on, both ways, so that the CLI has just what it has over a port.
 * @see docs/reference/contract.md#1-transport
 */
async function startBridge({ port, token, agent }: BridgeOptions) {
  let end: (byCli: boolean) => void = () => {};
  const ended = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  const cli = openStdio();
  const wire = openHttp({ host: "127.0.0.1", port, token }, () => end(false));
  const companion = wire.transport;
  let initializeId: unknown;
  cli.onmessage = (message) => {
    const isInitialize = "method" in message && message.method === "initialize";
    if (isInitialize && "id" in message) initializeId = message.id;
    companion.send(isInitialize ? speakFor(agent, message) : message).catch((error: unknown) => {
      const answer = toErrorAnswer(message, error);
      if (answer) cli.send(answer).catch(() => end(true));
    });
  };
  companion.onmessage = (message) => {
    if ("result" in message && message.id === initializeId) {
      companion.setProtocolVersion?.(String(message.result.protocolVersion));
    }
    cli.send(message).catch(() => end(true));
  };
  cli.onclose = () => end(true);
  await companion.start();
  await cli.start();
  return {
    ended,
    async close() {
      await wire.sayGoodbye();
      await companion.close();
      await cli.close();
      wire.close();
    },
  };
}

/** Any agent's token may have led us here: the companion must know for whom we speak. */
function speakFor({ name }: Agent, message: JSONRPCMessage): JSONRPCMessage {
  if (!("params" in message)) return message;
  const { capabilities } = message.params ?? {};
  const experimental = { ideCompanion: { version: 1, agent: name } };
  return {
    ...message,
    params: { ...message.params, capabilities: { ...Object(capabilities), experimental } },
  };
}

/** A request that has not reached the companion is answered here: nobody must wait for it. */
function toErrorAnswer(message: JSONRPCMessage, error: unknown): JSONRPCMessage | undefined {
  if (!("method" in message && "id" in message)) return undefined;
  const text = messageOf(error);
  return { jsonrpc: "2.0", id: message.id, error: { code: -32_000, message: text } };
}
