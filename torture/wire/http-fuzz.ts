import fc from "fast-check";
import { wordOf } from "../harness/arbitraries.ts";
import { exchange } from "./exchange.ts";
import { outsideSecret, type Subject } from "./subject.ts";

/** One request as bytes, and where they are cut into pieces. */
interface Attack {
  readonly frontend: "mcp" | "page";
  readonly bytes: string;
  readonly cuts: readonly number[];
}

/** The statuses that are fine; any other is a fault of ours. */
const statuses = new Set([
  100, 101, 200, 202, 303, 400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 417, 431, 503,
]);

/** @returns what was broken, or undefined */
export async function attack(
  subject: Subject,
  { frontend, bytes, cuts }: Attack,
): Promise<string | undefined> {
  const port = frontend === "mcp" ? subject.port : subject.pagePort;
  const { text, statuses: got, isOver } = await exchange(port, cut(bytes, cuts));
  const odd = got.find((status) => !statuses.has(status));
  if (subject.hasEnded) return `the companion has ended: ${subject.output()}`;
  if (!isOver) return "the connection is neither answered nor dropped within 20 s";
  if (odd !== undefined) return `it is answered with ${odd}`;
  if (text.includes(subject.token)) return "the token is in the answer";
  if (text.includes(outsideSecret)) return "a file outside of the open folders is in the answer";
  return undefined;
}

function cut(bytes: string, cuts: readonly number[]): string[] {
  const positions = [...new Set(cuts.map((at) => at % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...positions, bytes.length]
    .map((end, index) => bytes.slice(positions[index - 1] ?? 0, end))
    .filter(Boolean);
}

/** Requests that are nearly right: others are refused by the first byte, which tests little. */
export function attacks({ port, pagePort, token, cookie, sandbox }: Subject): fc.Arbitrary<Attack> {
  const frontend = fc.constantFrom<Attack["frontend"]>("mcp", "page");
  return frontend.chain((which) => {
    const ownPort = which === "mcp" ? port : pagePort;
    const key = which === "mcp" ? `Authorization: Bearer ${token}` : `Cookie: ${cookie}`;
    const files = [
      sandbox.workspace,
      `${sandbox.workspace}/link`,
      `${sandbox.folder}/secret.txt`,
      "/proc/self/environ",
    ];
    const request = fc
      .tuple(methods, targets(files), versions, headers(ownPort, key), bodies)
      .map(
        ([method, target, version, lines, body]) => `${method} ${target} ${version}\r\n${lines}\r\n${body}`,
      );
    const bytes = fc
      .array(request, { minLength: 1, maxLength: 3 })
      .chain((requests) => damaged(requests.join("")));
    return fc.record({
      frontend: fc.constant(which),
      bytes,
      cuts: fc.array(fc.nat(2000), { maxLength: 20 }),
    });
  });
}

const often = <Value>(value: Value, arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, { weight: 1, arbitrary });
const noise = fc.string({ unit: "binary-ascii", maxLength: 20 });

const methods = wordOf("GET GET POST POST DELETE HEAD OPTIONS PUT PATCH CONNECT get ");
const versions = often("HTTP/1.1", fc.constantFrom("HTTP/1.0", "HTTP/2.0", "HTTP/9.9", "http/1.1", ""));

/** Paths out of a folder that other servers have followed. */
const climbs = ".. %2e%2e ..%2f %2e%2e%5c ..\\ ....// %c0%ae%c0%ae ..; .%00 / link link.txt".split(" ");

function targets(files: readonly string[]): fc.Arbitrary<string> {
  const known = wordOf(
    "/ /mcp /health /open /open?key=x /index.html /socket /api/tree /api/history/1",
    "/api/proposals/1 /api/search?q=a /api/search /__proto__ /constructor /api/constructor/prototype * //",
  );
  const climb = fc.array(fc.constantFrom(...climbs, "assets", "secret.txt"), { minLength: 1, maxLength: 8 });
  const paths = fc
    .tuple(fc.constantFrom(...files), climb)
    .map(([file, steps]) => `/api/file?path=${encodeURIComponent([file, ...steps].join("/"))}`);
  const raw = fc
    .tuple(fc.constantFrom("/", "/assets/", "/api/file?path=", "/api/tree?path="), climb)
    .map(([base, steps]) => base + steps.join("/"));
  return fc.oneof(
    known,
    paths,
    raw,
    noise.map((text) => `/${text}`),
  );
}

function headers(port: number, key: string): fc.Arbitrary<string> {
  const odd = fc.constantFrom(
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Content-Length: 0",
    "Content-Length: 5",
    "Content-Length: 99999999999",
    "Content-Length: -1",
    "Expect: 100-continue",
    "Expect: more",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    `Origin: http://127.0.0.1:${port}`,
    "Origin: null",
    "Host: evil.example",
    "Sec-Fetch-Site: cross-site",
    "Mcp-Session-Id: __proto__",
    "Mcp-Protocol-Version: 2026-07-28",
    "Last-Event-ID: 999999999999999999",
    "Last-Event-ID: -1",
    "Accept: text/event-stream",
    "Accept: application/json, text/event-stream",
    "Content-Type: application/json",
    "Content-Type: application/json; charset=utf-16",
    "__proto__: x",
    " folded: x",
  );
  const some = fc.array(fc.oneof({ weight: 9, arbitrary: odd }, { weight: 1, arbitrary: noise }), {
    maxLength: 8,
  });
  const host = often(`Host: 127.0.0.1:${port}`, fc.constantFrom("Host: ", `Host: localhost:${port}`, "X: y"));
  return fc
    .tuple(host, often(key, fc.constant("X-No: key")), some)
    .map(([a, b, rest]) => [a, b, ...rest, ""].join("\r\n"));
}

const bodies = fc.oneof(
  fc.constant(""),
  fc.constant('{"jsonrpc":"2.0","id":1,"method":"ping"}'),
  fc.constant('5\r\n{"a":\r\n1\r\n1\r\n1\r\n}\r\n0\r\n\r\n'),
  noise,
);

/** The same, with a few characters put in, taken out or doubled. */
function damaged(text: string): fc.Arbitrary<string> {
  const change = fc.tuple(
    fc.nat(text.length),
    fc.nat(4),
    fc.constantFrom("", "\r", "\n", "\0", ":", " ", "\x80", "\r\n", "%"),
  );
  return fc.array(change, { maxLength: 3 }).map((changes) => {
    let changed = text;
    for (const [at, length, put] of changes)
      changed = changed.slice(0, at) + put + changed.slice(at + length);
    return changed;
  });
}
