import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { httpError, replyFailure } from "../../transport/reply.ts";
import type { Core } from "../family.ts";
import { type McpService, serveMcp } from "../mcp-http.ts";
import { Session } from "./session.ts";
import { toolList } from "./tools.ts";

/** Sessions at once; each is a CLI on this machine, so more of them is a fault. */
const maxSessions = 256;

/** `/mcp`. The guard has let the caller in. */
export class Endpoint {
  readonly #core: Core;
  readonly #sessions = new Map<string, Session>();
  readonly #service: McpService<Session>;

  constructor(core: Core) {
    this.#core = core;
    this.#service = {
      version: core.version,
      acknowledgesWithSession: true,
      open: ({ client }, request) => this.#open(client, request),
      find: (id) => this.#sessions.get(id),
      listTools: () => toolList,
      callTool: (params, session, onAway) => session.callTool(params, onAway),
      openStream: (session, open) => session.addStream(open()),
      end: (session) => session.end("it said goodbye"),
    };
  }

  /** Never throws. The later protocol that the CLI asks for first has no sessions: refused, it asks for this one. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.url?.split("?", 1)[0] !== "/mcp")
        throw httpError(404, "There is nothing here: MCP is served at /mcp");
      await serveMcp(request, response, this.#service);
    } catch (error) {
      replyFailure(response, error, this.#core.events.emit);
    }
  }

  /** Ends every session; the diffs have been closed before. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.end("the companion stops")));
  }

  async #open(client: { name: string; version: string }, request: IncomingMessage): Promise<Session> {
    const id = sessionIdOf(request) ?? randomUUID();
    // A CLI that lost us, or goes on with a conversation, comes again by the same id: the newer one is right.
    await this.#sessions.get(id)?.end("it connected again");
    if (this.#sessions.size >= maxSessions)
      throw httpError(503, `${maxSessions} CLIs are connected already: close one first`);
    const session = new Session(id, client, this.#core, () => {
      if (this.#sessions.get(id) === session) this.#sessions.delete(id);
    });
    this.#sessions.set(id, session);
    return session;
  }
}

/** The CLI's own: one id for both. It goes back in a header, so nothing else may stand in it. */
function sessionIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers["x-copilot-session-id"];
  return typeof id === "string" && /^[\w-]{8,128}$/.test(id) ? id : undefined;
}
