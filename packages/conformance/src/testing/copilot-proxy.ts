import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CopilotFault, Exchange } from "../contracts/copilot-cli/faults.ts";
import type { Link } from "../contracts/fault.ts";
import { lockFolder } from "../contracts/lock-file.ts";
import { addressIn, type Example } from "../example/editor.ts";
import { isJson, type Json, parseJson } from "../wire/json-rpc.ts";
import { mirrorLock, readLock } from "./lock-mirror.ts";
import { hostIn, startOurs } from "./our-companion.ts";

export interface CopilotOptions {
  /** The CLI's own folder, where it looks for companions. */
  readonly home: string;
  readonly folders: readonly string[];
  readonly fault?: CopilotFault | undefined;
}

/** Our companion for Copilot CLI; with a fault, behind a proxy that has it. */
export async function startOurCopilot({ home, folders, fault }: CopilotOptions): Promise<Example> {
  const inner = fault ? path.join(home, "behind") : home;
  const host = hostIn(path.dirname(home), { COPILOT_HOME: inner });
  mkdirSync(host.tmp, { recursive: true });
  if (!fault) return startOurs({ folders, agent: "copilot", host });
  mkdirSync(lockFolder(home), { recursive: true, mode: 0o700 });
  fault.start?.(lockFolder(home));
  const ours = await startOurs({ folders, agent: "copilot", host });
  const { socketPath: behind, headers } = (await readLock(inner)).content;
  const token = isJson(headers) ? String(headers.Authorization) : "";
  const folder = mkdtempSync(path.join(host.tmp, "p-"));
  chmodSync(folder, fault.socketFolderMode ?? 0o700);
  const socketPath = addressIn(folder, "mcp.sock");
  const server = createProxy(String(behind), token, fault);
  const listen = () => void server.listen(socketPath, () => chmodSync(socketPath, 0o600));
  if (fault.listensAfter === undefined) listen();
  else setTimeout(listen, fault.listensAfter);
  const stop = await mirrorLock({
    from: inner,
    to: home,
    fault,
    name: "proxy.lock",
    address: { socketPath },
  });
  return {
    ...ours,
    async close() {
      if (!fault.lockLast) stop();
      await ours.close();
      server.close();
      await delay(20);
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
      if (!fault.lockLast) return;
      await delay(500);
      stop();
    },
  };
}

/** One CLI: its stream, and the requests that wait. */
class Session implements Link {
  readonly memory = new Map<string, unknown>();
  readonly waiting = new Map<unknown, ServerResponse>();
  stream: ServerResponse | undefined;
  /** Its newest headers. */
  headers: IncomingMessage["headers"] = {};

  readonly all: Session[];
  readonly #pass: (headers: IncomingMessage["headers"], message: Json) => void;

  constructor(all: Session[], pass: (headers: IncomingMessage["headers"], message: Json) => void) {
    this.all = all;
    this.#pass = pass;
  }

  readonly tell = (message: object): void => {
    const { id, method } = message as Json;
    const response = method === undefined ? this.waiting.get(id) : this.stream;
    if (!response) return;
    const text = JSON.stringify(message);
    if (response.headersSent) response.write(`data: ${text}\n\n`);
    else response.setHeader("content-type", "application/json").end(text);
    if (response !== this.stream) response.end();
    this.waiting.delete(id);
  };

  readonly ask = (message: Json): void => this.#pass(this.headers, message);

  cutAll(): void {
    for (const { stream } of this.all) stream?.destroy();
  }
}

function createProxy(behind: string, token: string, fault: CopilotFault) {
  const sessions: Session[] = [];
  let before = 0;

  const forward = (method: string, headers: IncomingMessage["headers"], body: Buffer) => {
    const { "content-length": _, "transfer-encoding": __, ...others } = headers;
    const outgoing = request({ socketPath: behind, path: "/mcp", method, headers: others, agent: false });
    outgoing.end(body);
    return outgoing;
  };
  const pass = (headers: IncomingMessage["headers"], message: Json) =>
    void forward("POST", headers, Buffer.from(JSON.stringify(message))).on("error", () => {});

  function sessionOf(headers: IncomingMessage["headers"]): Session {
    const id = headers["x-copilot-session-id"];
    const known = sessions.find((session) => session.headers["x-copilot-session-id"] === id);
    const session = known ?? new Session(sessions, pass);
    if (!known) sessions.push(session);
    session.headers = headers;
    return session;
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { method = "" } = incoming;
    const headers = fault.head?.({ headers: incoming.headers, token, before }) ?? incoming.headers;
    before += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) {
      chunks.push(chunk);
      if (fault.takes && !fault.takes(chunk)) return response.writeHead(400).end("This is no text.");
    }
    const body = Buffer.concat(chunks);
    const session = sessionOf(headers);
    if (method === "DELETE" && fault.keepsOpen) return response.end();
    const parsed = parseJson(body.toString());
    const asked = isJson(parsed) ? parsed : undefined;
    if (asked?.id !== undefined) session.waiting.set(asked.id, response);
    const sent = asked && fault.up ? fault.up(asked, session) : asked;
    if (asked && !sent) return undefined;
    const outgoing = forward(method, headers, sent ? Buffer.from(JSON.stringify(sent)) : body);
    response.once("close", () => {
      if (session.stream === response) session.stream = undefined;
      if (!response.writableFinished && !fault.keepsOpen) outgoing.destroy();
    });
    const leave = () => {
      const last = asked && fault.unanswered?.(asked);
      if (last && session.waiting.has(asked.id)) session.tell(last);
      else if (!response.writableEnded) response.destroy();
    };
    outgoing.once("error", leave);
    outgoing.once("response", (answer) => {
      const exchange = { method, asked: asked ?? {}, session };
      void answerWith(answer, response, exchange, fault).then(leave, leave);
    });
    return undefined;
  }

  return createServer((incoming, response) => {
    // The CLI has gone in the middle of its request.
    serve(incoming, response).catch(() => response.destroy());
  });
}

/** Passes an answer of the companion. Resolves when it has ended. */
async function answerWith(
  answer: IncomingMessage,
  response: ServerResponse,
  { session, ...exchange }: Exchange & { readonly session: Session },
  fault: CopilotFault,
): Promise<void> {
  const { method, asked } = exchange;
  const { statusCode: came = 500, headers } = answer;
  const status = fault.status?.(came, exchange, session) ?? came;
  const { "content-length": _, "transfer-encoding": __, connection: ___, ...others } = headers;
  for (const [name, value] of Object.entries(fault.replyHeaders?.(others) ?? others))
    if (value !== undefined) response.setHeader(name, value);
  response.statusCode = status;
  const pass = async (text: string): Promise<boolean> => {
    const message = parseJson(text);
    if (!isJson(message) || (message.method === undefined && message.id === null)) return false;
    const passed = fault.down ? await fault.down(message, session, asked) : message;
    if (passed) session.tell(passed);
    return true;
  };
  if (status !== came) {
    response.end("refused");
    answer.destroy();
    return;
  }
  const isStream = headers["content-type"]?.startsWith("text/event-stream");
  if (status >= 400 || !isStream) {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (status >= 400 || !(await pass(text))) response.end(text);
    // What a fault has dropped is never answered.
    if (!response.writableEnded) await new Promise(() => {});
    return;
  }
  response.flushHeaders();
  if (method === "GET") session.stream = response;
  let received = "";
  for await (const chunk of answer.setEncoding("utf8")) {
    received += chunk;
    for (let end = received.indexOf("\n\n"); end >= 0; end = received.indexOf("\n\n")) {
      const data = received.slice(0, end).match(/^data: ?(.*)$/m)?.[1];
      received = received.slice(end + 2);
      if (data !== undefined) await pass(data);
    }
  }
}
