/** What a request needs to be accepted. */
export interface Keys {
  readonly port: number;
  readonly token: string;
}

const head = (line: string, { port, token }: Keys, ...headers: string[]) =>
  [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`, ...headers, "", ""].join(
    "\r\n",
  );

/** Answered with 404 if it is taken for a separate request. */
const smuggled = (keys: Keys) => head("GET /smuggled", keys);
const last = (keys: Keys) => head("GET /nothing", keys, "Connection: close");

/** @param headers in one text @param body with what follows it on the connection */
const post =
  (headers: string, body: string, next: (keys: Keys) => string = () => "") =>
  (keys: Keys) =>
    head("POST /mcp", keys, "Content-Type: application/json", "Accept: */*", ...headers.split("; ")) +
    body +
    next(keys);
const get =
  (...headers: string[]) =>
  (keys: Keys) =>
    head("GET /health", keys, ...headers);

const chunked = "Transfer-Encoding: chunked";
const end = "0\r\n\r\n";

/**
 * Bytes that have deceived or stopped other servers, and the statuses of the answers, in order; the connection is closed
 * behind the last. The list only grows.
 */
export const shapes: readonly (readonly [
  name: string,
  bytes: (keys: Keys) => string,
  answers: readonly number[],
])[] = [
  ["a length and chunks", post(`Content-Length: 6; ${chunked}`, end, smuggled), [400]],
  ["chunks and a length", post(`${chunked}; Content-Length: 6`, end, smuggled), [400]],
  ["two different lengths", post("Content-Length: 0; Content-Length: 90", "", smuggled), [400]],
  ["two equal lengths", post("Content-Length: 2; Content-Length: 2", "{}", smuggled), [400]],
  ["a list of lengths", post("Content-Length: 2, 2", "{}", smuggled), [400]],
  ["a negative length", post("Content-Length: -2", "{}"), [400]],
  ["a length with a sign", post("Content-Length: +2", "{}"), [400]],
  ["a hexadecimal length", post("Content-Length: 0x2", "{}"), [400]],
  ["a length beyond 64 bits", post(`Content-Length: ${"9".repeat(30)}`, "{}"), [400]],
  ["a folded header", post(`X-A: b;  ${chunked}; Content-Length: 2`, "{}", last), [400]],
  ["a space before the colon", post("Transfer-Encoding : chunked; Content-Length: 2", "{}", smuggled), [400]],
  ["another encoding than chunks", post("Transfer-Encoding: xchunked", end, smuggled), [400]],
  ["chunks within chunks", post(`${chunked}, chunked`, end, smuggled), [400]],
  ["a chunk with a huge length", post(chunked, `${"f".repeat(20)}\r\n{}`), [400]],
  ["a chunk with endless extensions", post(chunked, `2;${"x".repeat(100_000)}\r\n{}\r\n${end}`), [413]],
  ["a chunk with an extension", post(chunked, `2;a=b\r\n{}\r\n${end}`, last), [400, 404]],
  ["a chunk whose length ends with a bare line feed", post(chunked, `2\n{}\r\n${end}`, smuggled), [400]],
  ["trailers", post(chunked, "2\r\n{}\r\n0\r\nOrigin: http://evil.example\r\n\r\n", last), [400, 404]],
  ["a NUL in a header", get("X-A: a\0b"), [400]],
  ["a bare carriage return", get("X-A: a\rX-B: b"), [400]],
  ["bare line feeds alone", (keys) => get()(keys).replaceAll("\r\n", "\n"), [400]],
  ["headers of 100 kB", get(`X-A: ${"a".repeat(100_000)}`), [431]],
  ["3000 headers", get(...Array.from({ length: 3000 }, (_, n) => `A${n}:b`)), [431]],
  ["an address of 100 kB", (keys) => head(`GET /${"a".repeat(100_000)}`, keys), [431]],
  ["two hosts", get("Host: evil.example", "Connection: close"), [403]],
  [
    "an address with another host",
    (keys) => head("GET http://evil.example/", keys, "Connection: close"),
    [404],
  ],
  ["a tunnel", (keys) => head("CONNECT 127.0.0.1:80", keys), []],
  [
    "a WebSocket",
    (keys) => head("GET /mcp", keys, "Connection: Upgrade, close", "Upgrade: websocket"),
    [400],
  ],
  ["an upgrade to HTTP/2", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]],
  ["TLS", () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", [400]],
  ["HTTP/0.9", () => "GET /\r\n\r\n", [403]],
  ["a hundred requests", (keys) => head("GET /nothing", keys).repeat(99) + last(keys), Array(100).fill(404)],
  ["a body without a length, and the next request in it", post("Connection: close", "", last), [400]],
];
