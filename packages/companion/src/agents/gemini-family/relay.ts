import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import type { PathMap } from "../../files/path-map.ts";
import { messageOf } from "../../system/error-message.ts";
import { parseJsonIncrementally } from "../../transport/incremental-json.ts";
import { httpLimits, listenOnLoopback, maxBodyBytes, readdressHost } from "../../transport/loopback.ts";
import { readRequestBody } from "../../transport/posted-messages.ts";
import type { Relay, RelayOptions } from "../agent.ts";
import { toHere, toThere, UnmappedPath } from "./message-map.ts";

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
