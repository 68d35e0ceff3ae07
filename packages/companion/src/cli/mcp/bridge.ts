import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Agent } from "../../agents/agent.ts";
import { openHttp } from "../../client/transport.ts";
import { messageOf } from "../../system/error-message.ts";
import { maxBodyBytes } from "../../transport/loopback.ts";

export interface BridgeOptions {
  readonly port: number;
  readonly token: string;
  /** The CLI at the other end of standard input and output. */
  readonly agent: Agent;
}

/** A CLI's IDE mode over standard input and output instead of a port. */
export interface Bridge {
  /** Resolves with false when the companion has gone, with true when the CLI has. */
  readonly ended: Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Passes every message on, both ways, so that the CLI has just what it has over a port.
 * @see docs/reference/contract.md#1-transport
 */
export async function startBridge({ port, token, agent }: BridgeOptions): Promise<Bridge> {
  let end: (byCli: boolean) => void = () => {};
  const ended = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  const cli = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: maxBodyBytes });
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
