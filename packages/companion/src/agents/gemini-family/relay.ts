import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import type { PathMap } from "../../files/path-map.ts";
import { messageOf } from "../../system/error-message.ts";
import { isObject } from "../../system/json.ts";
import { parseJsonIncrementally } from "../../transport/incremental-json.ts";
import { httpLimits, listenOnLoopback, maxBodyBytes, readdressHost } from "../../transport/loopback.ts";
import { readRequestBody } from "../../transport/posted-messages.ts";
import type { Relay, RelayOptions } from "../agent.ts";

/** What agents ask for. */
const served = ["/mcp", "/health"];

/** @throws Error when no port can be opened */
export async function startRelay({ port, map }: RelayOptions): Promise<Relay> {
  const server = createServer(httpLimits, (incoming, outgoing) => {
    pass(incoming, outgoing, { port, farPort: relay.farPort, map }).catch((error: unknown) => {
      if (outgoing.headersSent) return outgoing.destroy();
      const reason = messageOf(error);
      say(outgoing, 502, `The editor's companion cannot be reached: ${reason}`);
    });
  });
  // A connection that cannot be taken the CLI tries again.
  const own = await listenOnLoopback(server, { onTrouble: () => {} });
  const relay: Relay = {
    port: own,
    farPort: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return relay;
}

/**
 * What an agent says, with the names that its files have on this machine. Texts are never touched.
 * @throws UnmappedPath with a sentence for the agent
 */
export function toHere(message: unknown, map: PathMap): unknown {
  if (Array.isArray(message)) return message.map((one) => toHere(one, map));
  if (!isObject(message) || message.method !== "tools/call" || !isObject(message.params)) return message;
  const { name, arguments: given } = message.params;
  if (name === "acceptDiff") {
    throw new UnmappedPath("acceptDiff would write on the editor's machine: write the file yourself");
  }
  if (!isObject(given) || typeof given.filePath !== "string") return message;
  const filePath = map.toHere(given.filePath);
  if (filePath === undefined) {
    throw new UnmappedPath(
      `${given.filePath} lies outside of the folders that the editor shares with this machine`,
    );
  }
  return { ...message, params: { ...message.params, arguments: { ...given, filePath } } };
}

/** What a companion says, with the names that the agent knows. Files that are not there are left out. */
export function toThere(message: unknown, map: PathMap): unknown {
  if (Array.isArray(message)) return message.map((one) => toThere(one, map));
  if (!isObject(message)) return message;
  if (isObject(message.params)) return { ...message, params: paramsToThere(message.params, map) };
  return isObject(message.result) ? { ...message, result: resultToThere(message.result, map) } : message;
}

type Endpoint = RelayOptions & Pick<Relay, "farPort">;

async function pass(incoming: IncomingMessage, outgoing: ServerResponse, endpoint: Endpoint): Promise<void> {
  if (!served.includes(incoming.url ?? ""))
    return say(outgoing, 404, "There is nothing here: MCP is served at /mcp");
  const read = await readRequestBody(incoming, maxBodyBytes);
  if (read.kind !== "text") return say(outgoing, 413, "The request is larger than anything that is taken");
  // Whatever is no message is the companion's to refuse, which also looks at the token.
  const said = await parseJsonIncrementally(read.bytes).catch(() => undefined);
  let sent: string | Buffer = read.bytes;
  try {
    if (said !== undefined) sent = JSON.stringify(toHere(said, endpoint.map));
  } catch (error) {
    if (!(error instanceof UnmappedPath)) throw error;
    return refuse(outgoing, said, error);
  }
  const answer = await ask(incoming, outgoing, sent, endpoint);
  const type = answer.headers["content-type"] ?? "";
  if (type.startsWith("text/event-stream")) return passStream(answer, outgoing, endpoint.map);
  const text = await readText(answer);
  const body = type.startsWith("application/json") ? parse(text) : undefined;
  const translated = body === undefined ? text : JSON.stringify(toThere(body, endpoint.map));
  const { "transfer-encoding": _, ...given } = answer.headers;
  const headers = { ...given, "content-length": Buffer.byteLength(translated) };
  outgoing.writeHead(answer.statusCode ?? 502, headers).end(translated);
}

function ask(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  body: string | Buffer,
  { port, farPort }: Endpoint,
): Promise<IncomingMessage> {
  const { "transfer-encoding": _, ...given } = incoming.headers;
  const headers = { ...given, "content-length": Buffer.byteLength(body) };
  if (headers.host !== undefined) headers.host = readdressHost(headers.host, farPort, port);
  return new Promise((resolve, reject) => {
    const { method, url: path } = incoming;
    const asked = request({ host: "127.0.0.1", port, method, path, headers }, resolve);
    asked.on("error", reject);
    // The client has gone: the companion is to see it as if there were nobody between.
    outgoing.once("close", () => asked.destroy());
    asked.end(body);
  });
}

/** Events as they come, each a line of JSON. */
function passStream(answer: IncomingMessage, outgoing: ServerResponse, map: PathMap): void {
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  outgoing.flushHeaders();
  let rest = "";
  answer.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    if (lines.length > 0) outgoing.write(`${lines.map((line) => lineToThere(line, map)).join("\n")}\n`);
  });
  answer.on("error", () => outgoing.destroy()); // the companion has gone
  answer.on("end", () => outgoing.end());
}

function lineToThere(line: string, map: PathMap): string {
  const mark = "data: ";
  const sent = line.startsWith(mark) ? parse(line.slice(mark.length)) : undefined;
  return sent === undefined ? line : mark + JSON.stringify(toThere(sent, map));
}

/** A call that cannot be made is answered here, as a tool that says why. */
function refuse(outgoing: ServerResponse, said: unknown, { message }: UnmappedPath): void {
  const id = typeof said === "object" && said !== null && "id" in said ? said.id : null;
  const result = { content: [{ type: "text", text: message }], isError: true };
  outgoing.writeHead(200, { "content-type": "application/json" });
  outgoing.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
}

function say(outgoing: ServerResponse, status: number, sentence: string): void {
  outgoing.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${sentence}\n`);
}

/** @returns undefined for what is no JSON */
function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // handed on as it is: the other end says what is wrong
  }
}

/** A message whose file lies in no folder that both machines have. */
class UnmappedPath extends Error {
  override readonly name = "UnmappedPath";
}

type Json = Readonly<Record<string, unknown>>;

/** Of a notification: an outcome, or a context. */
function paramsToThere(params: Json, map: PathMap): Json {
  if (typeof params.filePath === "string") {
    return { ...params, filePath: map.toThere(params.filePath) ?? params.filePath };
  }
  const { workspaceState } = params;
  if (!isObject(workspaceState) || !Array.isArray(workspaceState.openFiles)) return params;
  const openFiles = workspaceState.openFiles.flatMap((file) => fileToThere(file, "path", map));
  return { ...params, workspaceState: { ...workspaceState, openFiles } };
}

/** Only structured content is known to hold names; a bare text may be a file's. */
function resultToThere(result: Json, map: PathMap): Json {
  const { structuredContent } = result;
  if (!isObject(structuredContent) || !Array.isArray(structuredContent.diagnostics)) return result;
  const diagnostics = structuredContent.diagnostics.flatMap((one) => fileToThere(one, "filePath", map));
  const sent = { ...structuredContent, diagnostics };
  return { ...result, content: [{ type: "text", text: JSON.stringify(sent) }], structuredContent: sent };
}

function fileToThere(file: unknown, key: string, map: PathMap): readonly unknown[] {
  const path = isObject(file) ? file[key] : undefined;
  const there = typeof path === "string" ? map.toThere(path) : undefined;
  return there === undefined ? [] : [{ ...Object(file), [key]: there }];
}
