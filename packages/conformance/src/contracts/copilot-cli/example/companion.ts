import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressIn, type Example, ExampleEditor, textOf } from "../../../example/editor.ts";
import { isJson, parseJson } from "../../../wire/json-rpc.ts";
import { lockFolder, sweepLocks } from "../../lock-file.ts";
import { homeOf } from "../lock-file.ts";
import { type CopilotRules, goodRules } from "./rules.ts";
import { ExampleSession } from "./session.ts";

export interface CopilotExampleOptions {
  /** The CLI's own folder. */
  readonly home: string;
  /** A folder for the private folder of the socket. */
  readonly tmp: string;
  readonly folders: readonly string[];
  /** How it differs from a good one. */
  readonly rules?: Partial<CopilotRules>;
}

/**
 * A complete companion of Copilot CLI for a simulated editor: small enough to read, and good enough to pass every
 * check. A changed rule makes it a broken one.
 */
export async function startCopilotExample(options: CopilotExampleOptions): Promise<Example> {
  const rules = { ...goodRules, ...options.rules };
  const editor = new ExampleEditor(options.folders, textOf);
  const token = randomUUID();
  const sessions = new Map<string, ExampleSession>();
  const host = { rules, editor, sessions };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = rules.refuse(request.headers, token);
    if (refusal !== undefined) return reply(response, refusal, "Run /ide and choose the editor.");
    if (request.method === "POST") return post(request, response);
    const session = sessionOf(request, response);
    if (!session) return;
    if (request.method === "GET") return session.openStream(response);
    if (rules.leaves) session.end();
    reply(response, 200, "");
  }

  async function post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, rules);
    if (body === undefined) return reply(response, 413, "This is too long.");
    const message = parseJson(body);
    const isMessage = isJson(message) && message.jsonrpc === "2.0" && typeof message.method === "string";
    if (!isMessage || (message.id !== undefined && isJson(message.id)))
      return reply(response, rules.garbageStatus, "This is no message.");
    if (message.method === "initialize") return initialize(request, response, message);
    if (message.method === "server/discover")
      return reply(response, rules.discoverStatus, "This protocol is not served.");
    const session = sessionOf(request, response);
    if (!session) return;
    if (message.id === undefined) return reply(response, rules.notificationStatus, "");
    if (rules.newestOnly && session !== [...sessions.values()].at(-1)) return;
    const params = isJson(message.params) ? message.params : {};
    const onAway = (listener: () => void) =>
      void response.once("close", () => response.writableFinished || listener());
    const answer = await session.answer(message.method, params, onAway);
    if (answer) reply(response, 200, { jsonrpc: "2.0", id: message.id, ...answer });
  }

  function initialize(
    { headers }: IncomingMessage,
    response: ServerResponse,
    { id, params }: Readonly<Record<string, unknown>>,
  ): void {
    const name = rules.sessionId(String(headers["x-copilot-session-id"]));
    const former = sessions.get(name);
    if (former && !rules.replaces) {
      reply(response, 409, "This session is open.");
      return;
    }
    former?.end();
    sessions.set(name, new ExampleSession(host, () => void sessions.delete(name)));
    response.setHeader("mcp-session-id", name);
    const result = {
      protocolVersion: rules.negotiate(isJson(params) ? String(params.protocolVersion) : ""),
      capabilities: { tools: {} },
      serverInfo: { name: "copilot-example", version: "1.0.0" },
    };
    reply(response, 200, { jsonrpc: "2.0", id, result });
  }

  function sessionOf({ headers }: IncomingMessage, response: ServerResponse): ExampleSession | undefined {
    const name = headers["mcp-session-id"];
    const session = sessions.get(String(name));
    if (!session) reply(response, name === undefined ? rules.missingSession : 404, "Send initialize first.");
    return session;
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy()); // its CLI has gone in the middle
  });
  const socketFolder = mkdtempSync(join(options.tmp, "ex-"));
  chmodSync(socketFolder, rules.socketFolderMode);
  const socketPath = addressIn(socketFolder, "mcp.sock");
  const listen = async () => {
    server.listen(socketPath);
    await once(server, "listening");
    if (process.platform !== "win32") chmodSync(socketPath, 0o600);
  };
  if (rules.listensAfter === undefined) await listen();
  else setTimeout(listen, rules.listensAfter);

  const folder = lockFolder(options.home);
  const locks = rules.locks(randomUUID()).map((name) => join(folder, name));
  const lockText = () => JSON.stringify(rules.lockContent({ socketPath, token, folders: editor.folders }));
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, rules.folderMode);
  sweepLocks(folder, rules.sweeps);
  for (const path of locks) {
    writeFileSync(path, lockText());
    chmodSync(path, rules.lockMode);
  }
  editor.on("folders", () => {
    if (rules.rewrites) for (const path of locks) rules.rewrite(path, lockText());
  });
  editor.on("change", () => {
    const all = [...sessions.values()];
    for (const session of rules.selectionToNewest ? all.slice(-1) : all) session.sendSelection();
  });
  editor.on("mention", (path, first, last) => {
    const all = [...sessions.values()];
    const selection = { start: { line: first - 1, character: 0 }, end: { line: last - 1, character: 0 } };
    const reference = { filePath: path, fileUrl: `file://${path}`, selection, selectedText: null };
    for (const session of rules.mentionsAll ? all : all.slice(-1))
      session.notify("add_file_reference", reference);
  });

  const removeLocks = () => {
    if (rules.removes) for (const path of locks) rmSync(path, { force: true });
  };
  return {
    editor,
    async close() {
      if (rules.removesAfter === undefined) removeLocks();
      for (const session of [...sessions.values()]) session.end("stopped");
      server.close();
      // What is answered goes out first.
      await new Promise((resolve) => setImmediate(resolve));
      server.closeAllConnections();
      rmSync(socketFolder, { recursive: true, force: true });
      if (rules.removesAfter === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, rules.removesAfter));
      removeLocks();
    },
  };
}

/** One for the current folder, found where this user's CLIs look. */
export function startCopilotExampleHere(rules: Partial<CopilotRules> = {}): Promise<Example> {
  const folders = [process.cwd()];
  return startCopilotExample({ home: homeOf(process.env), tmp: tmpdir(), folders, rules });
}

/** @returns undefined when there is more of it than the limit */
async function readBody(request: IncomingMessage, rules: CopilotRules): Promise<string | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > rules.longest) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > rules.longest) return undefined;
    if (!rules.joinsPieces) new TextDecoder("utf-8", { fatal: true }).decode(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function reply(response: ServerResponse, status: number, body: object | string): void {
  if (response.destroyed) return;
  const type = typeof body === "string" ? "text/plain" : "application/json";
  response.writeHead(status, status === 202 ? {} : { "content-type": type });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
