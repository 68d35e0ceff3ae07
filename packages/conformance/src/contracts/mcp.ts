import { EventStream } from "../wire/event-stream.ts";
import type { Evidence } from "../wire/evidence.ts";
import {
  exchange,
  type HttpReply,
  type HttpRequest,
  isEventStream,
  type Line,
  open,
  readBody,
} from "../wire/http.ts";
import { isJson, type Json, parseJson } from "../wire/json-rpc.ts";
import { Broken } from "./check.ts";

/** Where a CLI sends its requests, and what keeps them for the report. */
export interface Conversation {
  readonly line: Line;
  readonly evidence: Evidence;
}

/** What a request was answered with. */
export interface RpcAnswer {
  readonly status: number;
  readonly headers: HttpReply["headers"];
  /** The JSON-RPC message, as it came. */
  readonly message: Json;
  readonly result: Json | undefined;
  readonly error: Json | undefined;
}

/** Sends any request. @returns the answer as it came */
export async function send({ line, evidence }: Conversation, request: HttpRequest): Promise<HttpReply> {
  const { method = "POST", path = "/mcp", headers = {}, body } = request;
  const said = body === undefined ? "" : ` ${body.toString("utf8")}`;
  evidence.note(`→ ${method} ${path}${said} ${JSON.stringify(headers)}`);
  const reply = await exchange(line, request);
  evidence.note(`← ${reply.status} ${reply.body}`);
  return reply;
}

/** Opens a stream of events. @throws Broken when it is refused */
export async function openEvents(
  { line, evidence }: Conversation,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> {
  const { "last-event-id": last } = headers;
  evidence.note(`→ GET /mcp${last === undefined ? "" : ` Last-Event-ID: ${last}`}`);
  const response = await open(line, { method: "GET", path: "/mcp", headers });
  if (response.statusCode === 200 && isEventStream(response.headers))
    return new EventStream(response, evidence);
  response.destroy();
  const type = response.headers["content-type"] ?? "no type";
  throw new Broken(`GET /mcp was answered ${response.statusCode}, ${type}, not with a stream of events`);
}

/**
 * A request of JSON-RPC and its answer, whether that comes as JSON or on a stream. Other messages on a stream are none.
 * @param onHead gets the headers of the answer, also where no message follows
 * @throws Broken when no message answers it in time
 */
export async function ask(
  { line, evidence }: Conversation,
  request: Json,
  posting: Readonly<Record<string, string>>,
  onHead: (headers: HttpReply["headers"]) => void,
): Promise<RpcAnswer> {
  const { id, method } = request;
  const body = JSON.stringify(request);
  evidence.note(`→ POST /mcp ${body}`);
  const response = await open(line, { headers: posting, body });
  const { statusCode: status = 0, headers } = response;
  onHead(headers);
  if (isEventStream(headers)) {
    const stream = new EventStream(response, evidence);
    const answersIt = (value: unknown): value is Json =>
      isJson(value) && value.id === id && !("method" in value);
    const search = ({ events }: EventStream) => events.map(({ value }) => value).find(answersIt);
    const message = await stream.find(search, line.answerWithin);
    stream.cut();
    if (message) return toAnswer(status, headers, message);
    line.onUnanswered?.();
    throw new Broken(`${method} got no answer on the stream that it was answered with`);
  }
  const text = await readBody(line, response);
  evidence.note(`← ${status} ${text}`);
  const message = parseJson(text);
  if (isJson(message)) return toAnswer(status, headers, message);
  const shown = JSON.stringify(text.slice(0, 200));
  throw new Broken(`${method} was answered ${status} ${shown}, which is no JSON-RPC message`);
}

function toAnswer(status: number, headers: HttpReply["headers"], message: Json): RpcAnswer {
  const { result, error } = message;
  const [asResult, asError] = [isJson(result) ? result : undefined, isJson(error) ? error : undefined];
  return { status, headers, message, result: asResult, error: asError };
}
