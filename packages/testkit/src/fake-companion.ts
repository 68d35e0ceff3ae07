import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { listen } from "./listen.ts";

/** Where it differs from what the specification says, to see who notices. */
export interface Deviations {
  /** The names of its tools. */
  readonly tools?: readonly string[];
  /** Takes connections and never answers. */
  readonly silent?: boolean;
  /** What it wraps the text of a closed diff in. */
  readonly closeDiffText?: (content: string) => string;
  /** Comes before each call of a tool, by its name. What it throws is answered as a request that is no message. */
  readonly beforeCall?: (name: string) => void | Promise<void>;
}

export interface SeedCompanionOptions {
  /** `os.tmpdir()` of the process that is to find it. */
  readonly tmp: string;
  readonly workspacePath: string;
  /** The editor's process id, for the file's name. */
  readonly pid?: number;
  readonly token?: string;
  readonly context?: object;
  readonly deviations?: Deviations;
}

const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({}).default({}),
});

interface Session {
  stream: ServerResponse | undefined;
}

type Input = Readonly<Record<string, unknown>>;

/** Starts one and lets it be found. */
export async function startSeedCompanion(options: SeedCompanionOptions): Promise<SeedCompanion> {
  const companion = new SeedCompanion(options);
  await companion.start();
  return companion;
}

/**
 * A companion made from the published specification of the companion interface and nothing else: no line of ours
 * is in it, so that our client cannot agree with itself. It behaves as servers on the MCP SDK 1.x do: answers come
 * as event streams without ids, a session has one stream, and nobody says goodbye.
 */
export class SeedCompanion {
  readonly token: string;
  /** The diffs that are shown, by path. */
  readonly diffs = new Map<string, string>();
  /** Sessions that were opened so far. */
  sessions = 0;
  /** By which names it was reached. */
  readonly hosts = new Set<string | undefined>();
  port = 0;
  /** Absolute path of its discovery file. */
  file = "";
  readonly #options: SeedCompanionOptions;
  readonly #deviations: Deviations;
  readonly #open = new Map<string, Session>();
  readonly #server = createServer((request, response) => this.#serve(request, response));
  #context: object;

  constructor(options: SeedCompanionOptions) {
    const { token = "a-very-secret-token", context = { workspaceState: { openFiles: [] } } } = options;
    this.#options = options;
    this.#deviations = options.deviations ?? {};
    this.#context = context;
    this.token = token;
  }

  async start(): Promise<void> {
    this.port = await listen(this.#server);
    this.file = writeDiscoveryFile(this.#options, this.port, this.token);
  }

  /** Tells every session what the user looks at. */
  update(context: object): void {
    this.#context = context;
    this.#notify("ide/contextUpdate", context);
  }

  /** The user edits the right side of a diff. */
  edit(filePath: string, content: string): void {
    this.diffs.set(filePath, content);
  }

  accept(filePath: string): void {
    const content = this.diffs.get(filePath);
    this.diffs.delete(filePath);
    this.#notify("ide/diffAccepted", { filePath, content });
  }

  reject(filePath: string): void {
    this.diffs.delete(filePath);
    this.#notify("ide/diffRejected", { filePath });
  }

  /** Breaks every stream. */
  cut(): void {
    for (const { stream } of this.#open.values()) stream?.destroy();
  }

  /** Forgets every session, as a reloaded extension does. */
  forget(): void {
    this.cut();
    this.#open.clear();
    this.diffs.clear();
  }

  async close(): Promise<void> {
    rmSync(this.file, { force: true });
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    if (this.#deviations.silent) return;
    this.hosts.add(request.headers.host);
    const status = this.#refuse(request);
    if (status !== undefined) refuse(response, status);
    else if (request.method === "GET") this.#openStream(request, response);
    else this.#post(request, response).catch(() => refuse(response, 400)); // no message of MCP
  }

  /** With which status a request is refused by its head alone. */
  #refuse({ headers, url, method }: IncomingMessage): number | undefined {
    if (headers.authorization !== `Bearer ${this.token}`) return 401;
    if (url !== "/mcp") return 404;
    if (method === "POST") return undefined;
    if (method !== "GET") return 405;
    const session = this.#open.get(String(headers["mcp-session-id"]));
    if (!session) return 404;
    return session.stream ? 409 : undefined;
  }

  async #post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, method, params } = Message.parse(JSON.parse(await text(request)));
    let session = String(request.headers["mcp-session-id"] ?? "");
    if (method !== "initialize" && !this.#open.has(session))
      return refuse(response, session === "" ? 400 : 404);
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    if (method === "tools/call") await this.#deviations.beforeCall?.(String(params.name));
    if (method === "initialize") {
      this.sessions += 1;
      session = `session-${this.sessions}`;
      this.#open.set(session, { stream: undefined });
    }
    response.writeHead(200, { "content-type": "text/event-stream", "mcp-session-id": session });
    response.end(toEvent({ jsonrpc: "2.0", id, result: this.#answer(method, params) }));
  }

  #openStream({ headers }: IncomingMessage, response: ServerResponse): void {
    const session: Session = this.#open.get(String(headers["mcp-session-id"])) ?? { stream: undefined };
    session.stream = response;
    response.on("close", () => {
      session.stream = undefined;
    });
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.flushHeaders();
    this.#notify("ide/contextUpdate", this.#context, [session]);
  }

  #answer(method: string | undefined, params: Input): object {
    switch (method) {
      case "initialize": {
        const serverInfo = { name: "seed-companion", version: "1.0.0" };
        const protocolVersion = params.protocolVersion ?? "2025-06-18";
        return { protocolVersion, capabilities: { tools: {}, logging: {} }, serverInfo };
      }
      case "tools/list": {
        const names = this.#deviations.tools ?? ["openDiff", "closeDiff"];
        return { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })) };
      }
      case "tools/call":
        return this.#callTool(
          params.name,
          z.record(z.string(), z.unknown()).catch({}).parse(params.arguments),
        );
      default:
        return {};
    }
  }

  #callTool(name: unknown, input: Input): object {
    const filePath = String(input.filePath);
    if (name === "openDiff") {
      this.diffs.set(filePath, String(input.newContent));
      return { content: [] };
    }
    const content = this.diffs.get(filePath);
    if (name !== "closeDiff" || content === undefined) {
      return { isError: true, content: [{ type: "text", text: `No diff is open for ${filePath}` }] };
    }
    if (input.suppressNotification === true) this.diffs.delete(filePath);
    else this.reject(filePath);
    return { content: [{ type: "text", text: this.#deviations.closeDiffText?.(content) ?? content }] };
  }

  #notify(method: string, params: object, to: Iterable<Session> = this.#open.values()): void {
    for (const { stream } of to) stream?.write(toEvent({ jsonrpc: "2.0", method, params }));
  }
}

const toEvent = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { "content-type": "text/plain" }).end(`Refused with ${status}`);
}

/** `os.tmpdir()/gemini/ide/gemini-ide-server-${PID}-${PORT}.json`, with the four fields that are documented. */
function writeDiscoveryFile(options: SeedCompanionOptions, port: number, authToken: string): string {
  const { tmp, workspacePath, pid = process.pid } = options;
  const folder = path.join(tmp, "gemini", "ide");
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `gemini-ide-server-${pid}-${port}.json`);
  const ideInfo = { name: "seed", displayName: "Seed" };
  writeFileSync(file, JSON.stringify({ port, workspacePath, authToken, ideInfo }), { mode: 0o600 });
  return file;
}
