/** What a request needs to be accepted. */
export interface Keys {
  readonly port: number;
  readonly token: string;
}

/** Bytes that have deceived or stopped other servers. */
export interface Shape {
  readonly name: string;
  readonly bytes: (keys: Keys) => string;
  /** Statuses of the answers, in order; the connection is closed behind the last. */
  readonly answers: readonly number[];
}

const head = (line: string, { port, token }: Keys, ...headers: string[]) =>
  [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`, ...headers, "", ""].join(
    "\r\n",
  );

/** Answered with 404 if it is taken for a separate request. */
const smuggled = (keys: Keys) => head("GET /smuggled", keys);
const post = (keys: Keys, ...headers: string[]) =>
  head("POST /mcp", keys, "Content-Type: application/json", "Accept: */*", ...headers);
const last = (keys: Keys) => head("GET /nothing", keys, "Connection: close");

/** Requests that broke other servers; the list only grows. */
export const shapes: readonly Shape[] = [
  {
    name: "a length and chunks",
    bytes: (keys) =>
      `${post(keys, "Content-Length: 6", "Transfer-Encoding: chunked")}0\r\n\r\n${smuggled(keys)}`,
    answers: [400],
  },
  {
    name: "chunks and a length",
    bytes: (keys) =>
      `${post(keys, "Transfer-Encoding: chunked", "Content-Length: 6")}0\r\n\r\n${smuggled(keys)}`,
    answers: [400],
  },
  {
    name: "two different lengths",
    bytes: (keys) => post(keys, "Content-Length: 0", "Content-Length: 90") + smuggled(keys),
    answers: [400],
  },
  {
    name: "two equal lengths",
    bytes: (keys) => `${post(keys, "Content-Length: 2", "Content-Length: 2")}{}${smuggled(keys)}`,
    answers: [400],
  },
  {
    name: "a list of lengths",
    bytes: (keys) => `${post(keys, "Content-Length: 2, 2")}{}${smuggled(keys)}`,
    answers: [400],
  },
  { name: "a negative length", bytes: (keys) => `${post(keys, "Content-Length: -2")}{}`, answers: [400] },
  { name: "a length with a sign", bytes: (keys) => `${post(keys, "Content-Length: +2")}{}`, answers: [400] },
  { name: "a hexadecimal length", bytes: (keys) => `${post(keys, "Content-Length: 0x2")}{}`, answers: [400] },
  {
    name: "a length beyond 64 bits",
    bytes: (keys) => `${post(keys, `Content-Length: ${"9".repeat(30)}`)}{}`,
    answers: [400],
  },
  {
    name: "a folded header",
    bytes: (keys) =>
      `${post(keys, "X-A: b", " Transfer-Encoding: chunked", "Content-Length: 2")}{}${last(keys)}`,
    answers: [400],
  },
  {
    name: "a space before the colon",
    bytes: (keys) => `${post(keys, "Transfer-Encoding : chunked", "Content-Length: 2")}{}${smuggled(keys)}`,
    answers: [400],
  },
  {
    name: "another encoding than chunks",
    bytes: (keys) => `${post(keys, "Transfer-Encoding: xchunked")}0\r\n\r\n${smuggled(keys)}`,
    answers: [400],
  },
  {
    name: "chunks within chunks",
    bytes: (keys) => `${post(keys, "Transfer-Encoding: chunked, chunked")}0\r\n\r\n${smuggled(keys)}`,
    answers: [400],
  },
  {
    name: "a chunk with a huge length",
    bytes: (keys) => `${post(keys, "Transfer-Encoding: chunked")}${"f".repeat(20)}\r\n{}`,
    answers: [400],
  },
  {
    name: "a chunk with endless extensions",
    bytes: (keys) => `${post(keys, "Transfer-Encoding: chunked")}2;${"x".repeat(100_000)}\r\n{}\r\n0\r\n\r\n`,
    answers: [413],
  },
  {
    name: "a chunk with an extension",
    bytes: (keys) => `${post(keys, "Transfer-Encoding: chunked")}2;a=b\r\n{}\r\n0\r\n\r\n${last(keys)}`,
    answers: [400, 404],
  },
  {
    name: "a chunk whose length ends with a bare line feed",
    bytes: (keys) => `${post(keys, "Transfer-Encoding: chunked")}2\n{}\r\n0\r\n\r\n${smuggled(keys)}`,
    answers: [400],
  },
  {
    name: "trailers that look like headers",
    bytes: (keys) =>
      post(keys, "Transfer-Encoding: chunked") +
      `2\r\n{}\r\n0\r\nOrigin: http://evil.example\r\n\r\n${last(keys)}`,
    answers: [400, 404],
  },
  { name: "a NUL in a header", bytes: (keys) => head("GET /health", keys, "X-A: a\0b"), answers: [400] },
  {
    name: "a bare carriage return",
    bytes: (keys) => head("GET /health", keys, "X-A: a\rX-B: b"),
    answers: [400],
  },
  {
    name: "bare line feeds alone",
    bytes: (keys) => head("GET /health", keys).replaceAll("\r\n", "\n"),
    answers: [400],
  },
  {
    name: "headers of 100 kB",
    bytes: (keys) => head("GET /health", keys, `X-A: ${"a".repeat(100_000)}`),
    answers: [431],
  },
  {
    name: "3000 headers",
    bytes: (keys) => head("GET /health", keys, ...Array.from({ length: 3000 }, (_, n) => `A${n}:b`)),
    answers: [431],
  },
  {
    name: "an address of 100 kB",
    bytes: (keys) => head(`GET /${"a".repeat(100_000)}`, keys),
    answers: [431],
  },
  {
    name: "two hosts",
    bytes: (keys) => head("GET /health", keys, "Host: evil.example", "Connection: close"),
    answers: [403],
  },
  {
    name: "a whole address with another host",
    bytes: (keys) => head("GET http://evil.example/health", keys, "Connection: close"),
    answers: [404],
  },
  { name: "a tunnel", bytes: (keys) => head("CONNECT 127.0.0.1:80", keys), answers: [] },
  {
    name: "an upgrade to WebSocket",
    bytes: (keys) => head("GET /mcp", keys, "Connection: Upgrade, close", "Upgrade: websocket"),
    answers: [400],
  },
  { name: "an upgrade to HTTP/2", bytes: () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", answers: [400] },
  { name: "TLS", bytes: () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", answers: [400] },
  { name: "HTTP/0.9", bytes: () => "GET /\r\n\r\n", answers: [403] },
  {
    name: "a hundred requests at once",
    bytes: (keys) => head("GET /nothing", keys).repeat(99) + last(keys),
    answers: Array.from({ length: 100 }, () => 404),
  },
  {
    name: "a body without a length, and the next request in it",
    bytes: (keys) => post(keys, "Connection: close") + last(keys),
    answers: [400],
  },
];
