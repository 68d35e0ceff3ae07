import {
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { text as readText } from "node:stream/consumers";
import { messageOf } from "../system/error-message.ts";
import { tryParseJson } from "../system/json.ts";
import { httpLimits } from "../transport/loopback.ts";
import { maxUnreadBytes, tooLong } from "../transport/message-limit.ts";
import { readRequestBody } from "../transport/posted-messages.ts";
import { toAnswer, toCall, UnmappedPath } from "./relayed-messages.ts";

/** A companion that speaks MCP over HTTP, and how its messages name files elsewhere. */
export interface HttpRelayOptions {
  /** The paths that are passed on; any other is not found. */
  readonly served: readonly string[];
  /** Where the companion listens. @param host as the agent has named it */
  toCompanion(host: string | undefined): RequestOptions & { readonly hostHeader: string | undefined };
  /** What an agent says, as the companion takes it. @throws UnmappedPath with a sentence for the agent */
  toHere(message: unknown): unknown;
  /**
   * What the companion says, as the agent takes it.
   * @param asked the message that it answers; absent for an event
   * @returns undefined for an event that is not passed on
   */
  toThere(message: unknown, asked?: unknown): unknown;
}

/** Passes MCP over HTTP on to a companion, calls that wait and streams included. */
export const createHttpRelay = (options: HttpRelayOptions): Server =>
  createServer(httpLimits, (incoming, outgoing) => {
    pass(incoming, outgoing, options).catch((error: unknown) => {
      if (outgoing.headersSent) return outgoing.destroy();
      say(outgoing, 502, `The editor's companion cannot be reached: ${messageOf(error)}`);
    });
  });

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: HttpRelayOptions,
): Promise<void> {
  if (!options.served.includes(incoming.url ?? ""))
    return say(outgoing, 404, "There is nothing here: MCP is served at /mcp");
  const read = await readRequestBody(incoming);
  if (read.kind === "too-large") return say(outgoing, 413, `The request is ${tooLong}`);
  if (read.kind !== "text")
    return say(outgoing, 400, "The request is not valid UTF-8, or ended in the middle");
  // Whatever is no message is the companion's to refuse, which also looks at the token.
  const said = tryParseJson(String(read.bytes));
  let sent: string | Buffer = read.bytes;
  try {
    if (said !== undefined) sent = JSON.stringify(options.toHere(said));
  } catch (error) {
    if (!(error instanceof UnmappedPath)) throw error;
    // A call that cannot be made is answered here, as a tool that says why.
    outgoing.writeHead(200, { "content-type": "application/json" });
    return void outgoing.end(JSON.stringify(toAnswer(toCall(said)?.id ?? null, error.message, true)));
  }
  const answer = await ask(incoming, outgoing, sent, options);
  const type = answer.headers["content-type"] ?? "";
  if (type.startsWith("text/event-stream")) return passStream(answer, outgoing, options);
  const text = await readText(answer);
  // What is no JSON is handed on as it is: the other end says what is wrong.
  const body = type.startsWith("application/json") ? tryParseJson(text) : undefined;
  const translated = body === undefined ? text : JSON.stringify(options.toThere(body, said));
  const { "transfer-encoding": _, ...given } = answer.headers;
  const headers = { ...given, "content-length": Buffer.byteLength(translated) };
  outgoing.writeHead(answer.statusCode ?? 502, headers).end(translated);
}

function ask(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  body: string | Buffer,
  { toCompanion }: HttpRelayOptions,
): Promise<IncomingMessage> {
  const { "transfer-encoding": _, ...given } = incoming.headers;
  const { hostHeader: host, ...companion } = toCompanion(given.host);
  const headers = {
    ...given,
    ...(host !== undefined && { host }),
    "content-length": Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const { method, url: path } = incoming;
    const asked = request({ ...companion, method, path, headers }, resolve);
    asked.on("error", reject);
    // The client has gone: the companion is to see it as if there were nobody between.
    outgoing.once("close", () => asked.destroy());
    asked.end(body);
  });
}

/** Events as they come, each a line of JSON. */
function passStream(answer: IncomingMessage, outgoing: ServerResponse, options: HttpRelayOptions): void {
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  outgoing.flushHeaders();
  /** Of the line that has no end yet. Joined only then: a whole file in one line comes in a thousand pieces. */
  let pieces: string[] = [];
  let length = 0;
  answer.setEncoding("utf8").on("data", (chunk: string) => {
    const [end = "", ...others] = chunk.split("\n");
    pieces.push(end);
    length += end.length;
    if (length > maxUnreadBytes) return void answer.destroy(new Error("an event is too long"));
    if (others.length === 0) return;
    const lines = [pieces.join(""), ...others];
    pieces = lines.splice(-1);
    length = pieces[0]?.length ?? 0;
    outgoing.write(`${lines.map((line) => lineToThere(line, options)).join("\n")}\n`);
  });
  answer.on("error", () => outgoing.destroy()); // the companion has gone
  answer.on("end", () => outgoing.end());
}

/** An event without data is none. */
function lineToThere(line: string, { toThere }: HttpRelayOptions): string {
  const mark = "data: ";
  const sent = line.startsWith(mark) ? tryParseJson(line.slice(mark.length)) : undefined;
  if (sent === undefined) return line;
  const translated = toThere(sent);
  return translated === undefined ? "" : mark + JSON.stringify(translated);
}

function say(outgoing: ServerResponse, status: number, sentence: string): void {
  outgoing.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${sentence}\n`);
}
