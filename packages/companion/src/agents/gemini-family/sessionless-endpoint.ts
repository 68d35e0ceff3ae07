import { randomUUID } from "node:crypto";
import { type NodeMcpRequestHandler, toNodeHandler } from "@modelcontextprotocol/node";
import {
  classifyInboundRequest,
  createMcpHandler,
  type McpHttpHandler,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { checkRoom, type Outcome, ReviewError, type ReviewOwner } from "../../core/changes/review.ts";
import type { Reviews } from "../../core/changes/reviews.ts";
import type { ContextFeed } from "../../core/context-feed.ts";
import type { SharedFiles } from "../../core/diagnostics.ts";
import type { OptionalCapabilities } from "../../core/editor.ts";
import { pathKey } from "../../files/file-path.ts";
import { httpError } from "../../transport/reply.ts";
import type { Agent } from "../agent.ts";
import { type Decided, mcpDialect, toIdeContext } from "./frames.ts";
import { listCapabilities } from "./optional-capabilities.ts";
import { type Exchange, offeredTools } from "./session-requests.ts";
import { callTool, type DiffCaller } from "./tool-calls.ts";

/** The present context, for clients that have no session to receive it on. */
const contextUri = "ide://context";

export interface SessionlessOptions {
  readonly version: string;
  readonly feed: ContextFeed;
  readonly book: Reviews;
  readonly editor: OptionalCapabilities;
  readonly sharing: SharedFiles;
}

interface OpenDiff {
  readonly owner: ReviewOwner;
  readonly filePath: string;
  /** Ends the call that opened it. @param decided sent before, if anything is */
  end(decided?: Decided): void;
}

/**
 * `/mcp` for MCP 2026-07-28, which has no sessions and no stream. There the context is a
 * resource that can be subscribed to, and `openDiff` stays open until the decision, which comes as the
 * usual notification on the call's own stream; a caller that goes away takes its diff with it.
 */
export class SessionlessEndpoint {
  readonly #options: SessionlessOptions;
  readonly #handlers = new Map<Agent, { http: McpHttpHandler; node: NodeMcpRequestHandler }>();
  readonly #unsubscribe: () => void;

  constructor(options: SessionlessOptions) {
    this.#options = options;
    this.#unsubscribe = options.feed.subscribe(() => {
      for (const { http } of this.#handlers.values()) http.notify.resourceUpdated(contextUri);
    });
  }

  /** @throws HttpError for a request of an older protocol, which needs a session. */
  async serve({ request, response, agent }: Exchange, body: unknown): Promise<void> {
    const version = request.headers["mcp-protocol-version"];
    const { kind } = classifyInboundRequest({
      httpMethod: request.method ?? "",
      ...(typeof version === "string" ? { protocolVersionHeader: version } : {}),
      body,
    });
    if (kind === "legacy") {
      throw httpError(400, "The Mcp-Session-Id header is missing: send initialize first");
    }
    // The SDK's type has no room for the undefined that Node's own optional properties allow.
    const incoming = request as Parameters<NodeMcpRequestHandler>[0];
    await this.#handlerOf(agent).node(incoming, response, body);
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await Promise.all([...this.#handlers.values()].map(({ http }) => http.close()));
  }

  #handlerOf(agent: Agent): { http: McpHttpHandler; node: NodeMcpRequestHandler } {
    const known = this.#handlers.get(agent);
    if (known) return known;
    const open = new Set<OpenDiff>();
    // As streams, answers have a head and signs of life from the beginning: HTTP clients do not wait for those for as long
    // as a user thinks.
    const options = { legacy: "reject", responseMode: "sse" } as const;
    const http = createMcpHandler(() => this.#createServer(agent, open), options);
    const created = { http, node: toNodeHandler(http) };
    this.#handlers.set(agent, created);
    return created;
  }

  #createServer(agent: Agent, open: Set<OpenDiff>): Server {
    const { version, feed, book, editor, sharing } = this.#options;
    const capabilities = { tools: {}, resources: { subscribe: true } };
    const server = new Server({ name: "ide-companion", version }, { capabilities });
    server.setRequestHandler("tools/list", async () => ({
      tools: [...offeredTools(book), ...listCapabilities(editor)],
    }));
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      const diffs = createCaller(agent, book, open, context);
      const capabilities = { editor, sharing, roots: book.roots };
      return callTool(params.name, params.arguments ?? {}, diffs, capabilities);
    });
    server.setRequestHandler("resources/list", async () => ({
      resources: [{ uri: contextUri, name: "context", title: "What the user is looking at", mimeType }],
    }));
    server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
      if (uri !== contextUri) throw new ReviewError(`unknown resource ${uri}: there is ${contextUri}`);
      return { contents: [{ uri, mimeType, text: JSON.stringify(toIdeContext(feed.current)) }] };
    });
    return server;
  }
}

const mimeType = "application/json";

function createCaller(agent: Agent, book: Reviews, open: Set<OpenDiff>, context: ServerContext): DiffCaller {
  const find = (filePath: string) => {
    const found = [...open].findLast((diff) => pathKey(diff.filePath) === pathKey(filePath));
    if (!found) throw new ReviewError(`no diff of ${JSON.stringify(filePath)} is open`);
    return found;
  };
  return {
    async openDiff(filePath, newContent) {
      // Each call is its own owner to the book, which therefore cannot count them.
      checkRoom(agent.displayName, open.size);
      const { signal, notify } = context.mcpReq;
      let end: OpenDiff["end"] = () => {};
      const ended = new Promise<Decided | undefined>((resolve) => {
        end = resolve;
      });
      const owner = createOwner(agent, signal, (outcome) =>
        end(outcome.kind === "closed" ? undefined : { ...outcome, filePath }),
      );
      const diff = { owner, filePath, end };
      signal.addEventListener("abort", () => end(), { once: true });
      open.add(diff);
      try {
        await book.propose(owner, { key: pathKey(filePath), filePath, newContent });
        const decided = await ended;
        if (decided) await notify(mcpDialect.outcome(decided));
      } finally {
        open.delete(diff);
        await book.endSession(owner.id);
      }
    },
    async closeDiff(filePath, { suppressNotification }) {
      const { owner, end, filePath: opened } = find(filePath);
      const text = await book.close(owner.id, pathKey(filePath));
      end(suppressNotification ? undefined : { kind: "rejected", filePath: opened });
      return text;
    },
    acceptDiff: async (filePath) => book.accept(find(filePath).owner.id, pathKey(filePath)),
    rejectDiff: async (filePath) => book.reject(find(filePath).owner.id, pathKey(filePath)),
  };
}

function createOwner(agent: Agent, call: AbortSignal, deliver: (outcome: Outcome) => void): ReviewOwner {
  return {
    id: randomUUID(),
    agent: agent.displayName,
    get isOver() {
      return call.aborted;
    },
    deliver,
  };
}
