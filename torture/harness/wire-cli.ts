import { IdeContext } from "../../packages/companion/src/agents/gemini-family/contract/context.ts";
import { messageOf } from "../../packages/companion/src/system/error-message.ts";
import type { Host } from "../../packages/companion/src/system/host.ts";
import {
  type RpcAnswer,
  send,
  WireClient,
  type WireEvent,
  type WireStream,
} from "../../packages/testkit/src/fake-cli/gemini-family.ts";
import { type Cli, type CliOutcome, type CliSession, type DiffTool, type Reply, usual } from "./cli.ts";
import { findDiscovered } from "./discovered.ts";
import { readHealth } from "./health.ts";

/** As docs/reference/contract.md describes the real ones. */
const both = { ...usual, ignoresEmptyText: true, outwaitsCompanion: true };
const agents = {
  gemini: {
    name: "streamable-http-client",
    protocol: "2025-06-18",
    behaviour: { ...both, dropsByteOrderMark: true },
  },
  qwen: { name: "qwen-cli-mcp-client", protocol: "2025-11-25", behaviour: both },
};

/** For the first event, on a busy machine; in milliseconds. */
const patience = 30_000;

/** A CLI that sends what the real one of this name does. */
export function createWireCli(agent: "gemini" | "qwen", host: Host): Cli {
  return {
    name: agent,
    connect: (port) => connect(agent, host, port),
    close: async () => {},
  };
}

async function connect(agent: "gemini" | "qwen", host: Host, port: number): Promise<CliSession> {
  const { name, protocol, behaviour } = agents[agent];
  const { token } = findDiscovered(host, port, agent);
  const client = await new WireClient(port, token, protocol).initialize(name);
  const label = await labelOf(client);
  const log = new StreamLog();
  let isStalled = false;
  const first = await client.openStream();
  // Without any event it could not name the last one after a break.
  await first.next(() => true, patience);
  let stream: WireStream | undefined = log.follow(first);
  const call = async (tool: string, input: object) => toReply(await client.call(tool, input), agent);

  return {
    label,
    behaviour,
    get outcomes() {
      return log.outcomes;
    },
    get context() {
      return log.context;
    },
    get isStreaming() {
      return stream !== undefined && !stream.isClosed && !isStalled;
    },
    waiting: undefined,
    open: (filePath, newContent) => reply(() => call("openDiff", { filePath, newContent })),
    close: (filePath, suppressNotification) =>
      reply(() => call("closeDiff", { filePath, suppressNotification })),
    decide: (tool: DiffTool, filePath) => reply(() => call(tool, { filePath })),
    async drop() {
      await stream?.close();
    },
    stall() {
      isStalled = true;
      // Later events are lost with the stream.
      stream?.response.pause();
    },
    async resume() {
      // As the real ones: it closes the stream, then reopens it, perhaps before the other end has noticed.
      await stream?.close();
      const { lastId } = log;
      const headers: Record<string, string> = lastId === undefined ? {} : { "last-event-id": lastId };
      stream = log.follow(await client.openStream(headers));
      isStalled = false;
    },
    async leave() {
      await send(port, { method: "DELETE", headers: client.headers });
      await stream?.close();
    },
    async kill() {
      await stream?.close();
    },
  };
}

/** What has come on all streams of a session. */
class StreamLog {
  readonly outcomes: CliOutcome[] = [];
  context: IdeContext | undefined;
  lastId: string | undefined;

  follow(stream: WireStream): WireStream {
    // Processed events are dropped: a stream may live for long.
    for (const event of stream.events.splice(0)) this.#take(event);
    stream.onEvent = () => {
      for (const event of stream.events.splice(0)) this.#take(event);
    };
    return stream;
  }

  #take({ id, method, params }: WireEvent): void {
    if (id !== undefined) this.lastId = id;
    const { filePath, content } = params;
    if (method === "ide/contextUpdate") this.context = IdeContext.parse(params);
    else if (method === "ide/diffAccepted") {
      this.outcomes.push({ kind: "accepted", filePath: String(filePath), content: String(content) });
    } else if (method === "ide/diffRejected") {
      this.outcomes.push({ kind: "rejected", filePath: String(filePath) });
    }
  }
}

/** How the editor names this session. */
async function labelOf(client: WireClient): Promise<string> {
  const { sessions } = await readHealth(client.port, client.headers);
  const own = sessions.find(({ id }) => id === client.sessionId);
  if (!own) throw new Error(`the companion does not know the session ${client.sessionId}`);
  return own.agent;
}

function toReply({ result, error }: RpcAnswer, agent: "gemini" | "qwen"): Reply {
  if (error) return { ok: false, reason: error.message };
  const content: unknown = result?.content;
  const [block] = Array.isArray(content) ? content : [];
  const text = String(block?.text ?? "");
  if (result?.isError === true) return { ok: false, reason: text };
  return {
    ok: true,
    text: agent === "gemini" && text.startsWith('{"content":') ? JSON.parse(text).content : text,
  };
}

/** A broken connection is an answer, too. */
async function reply(run: () => Promise<Reply>): Promise<Reply> {
  try {
    return await run();
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  }
}
