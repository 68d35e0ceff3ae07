import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { httpLimits } from "../../packages/companion/src/transport/loopback.ts";
import { maxMessageBytes } from "../../packages/companion/src/transport/message-limit.ts";
import { send } from "../../packages/testkit/src/fake-cli/gemini-family.ts";
import type { Subject } from "./subject.ts";

/** The longest that the event loop may be blocked, in milliseconds. */
export const longestBlock = 200;

/** Texts of the largest allowed size, each hard for another reason. */
const largeBodies: readonly (readonly [name: string, text: () => string, status: number])[] = [
  ["a proposal in ASCII", () => proposal("const a = 'b';\n"), 200],
  ["a proposal full of quotes", () => proposal('say("it");\n'), 200],
  ["a proposal in Japanese", () => proposal("日本語のテキスト\n"), 200],
  ["millions of numbers", () => filled("[", "1,", "1]"), 413],
  ["millions of brackets", () => filled("", "[", ""), 413],
  ["millions of names", () => filled("{", '"a":1,', '"a":1}'), 413],
  ["white space", () => filled("", " ", ""), 413],
  ["backslashes without an end", () => filled('"', "\\\\", ""), 400],
];

function proposal(line: string): string {
  const params = { name: "closeDiff", arguments: { filePath: "/not/open", newContent: "?" } };
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const [start = "", end = ""] = message.split("?");
  return filled(start, JSON.stringify(line).slice(1, -1), end);
}

/** As often as there is room for it in a body. */
function filled(start: string, unit: string, end: string): string {
  const room = maxMessageBytes - Buffer.byteLength(start + end);
  return start + unit.repeat(Math.floor(room / Buffer.byteLength(unit))) + end;
}

/** The result for a large text. */
export interface LargeResult {
  readonly name: string;
  readonly status: number;
  readonly wanted: number;
  /** The longest that the event loop was blocked, in milliseconds. */
  readonly blocked: number;
}

/** Sends texts that are only read. */
export async function sendLargeBodies(
  subject: Subject,
  sessionId: string,
  isTimeUp: () => boolean,
): Promise<readonly LargeResult[]> {
  const headers = headersFor(subject, sessionId);
  const results: LargeResult[] = [];
  for (const [name, text, wanted] of largeBodies) {
    if (isTimeUp()) break;
    const body = Buffer.from(text());
    const { result, blocked } = await leastBlocked(subject, () => send(subject.port, { headers, body }));
    results.push({ name, status: result.status, wanted, blocked });
  }
  return results;
}

/** Sends proposals that come back as an answer, as an outcome and in a file. */
export async function returnLargeTexts(
  subject: Subject,
  sessionId: string,
  isTimeUp: () => boolean,
): Promise<readonly LargeResult[]> {
  const headers = headersFor(subject, sessionId);
  const filePath = join(subject.sandbox.workspace, "large.txt");
  const call = (name: string, input: object) => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } };
    return send(subject.port, { headers, body: Buffer.from(JSON.stringify(message)) });
  };
  const results: LargeResult[] = [];
  for (const line of ["const a = 'b';\n", 'say("it");\n', "日本語のテキスト\n"]) {
    const newContent = line.repeat(12_000_000 / Buffer.byteLength(JSON.stringify(line)));
    for (const tool of ["closeDiff", "acceptDiff"]) {
      if (isTimeUp()) return results;
      const { result, blocked } = await leastBlocked(subject, async () => {
        await call("openDiff", { filePath, newContent });
        return call(tool, { filePath });
      });
      const isDone = !result.body.slice(-200).includes('"isError":true');
      results.push({
        name: `${tool} of 12 MB of ${line}`,
        status: isDone ? result.status : 0,
        wanted: 200,
        blocked,
      });
    }
  }
  return results;
}

/** Other processes can only add to it: the best of three attempts counts. */
async function leastBlocked<Result>(
  subject: Subject,
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly blocked: number }> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 1; ; attempt += 1) {
    await subject.blockedFor();
    const result = await run();
    least = Math.min(least, await subject.blockedFor());
    if (least <= longestBlock || attempt === 3) return { result, blocked: Math.round(least) };
  }
}

const headersFor = ({ token }: Subject, sessionId: string) => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-session-id": sessionId,
});

/** How long a request may take to come, in milliseconds, with time for the companion to notice. */
const lateHead = httpLimits.headersTimeout + 2 * httpLimits.connectionsCheckingInterval + 5000;
const lateBody = httpLimits.requestTimeout + 2 * httpLimits.connectionsCheckingInterval + 5000;

/** From this many minutes on there is time to wait for a late head, and for a late body. */
export const minutesFor = { lateHead: lateHead / 60_000, lateBody: lateBody / 60_000 };

/**
 * Connections that send a byte a second of a head that has no end.
 * @returns how many were still open after the limit
 */
export function dripHeads({ port, pagePort }: Subject, count: number): Promise<number> {
  const text = `GET /health HTTP/1.1\r\nX-Slow: ${"a".repeat(1000)}`;
  const ports = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? port : pagePort));
  return countOpen(
    ports.map((one) => drip(one, "", text)),
    lateHead,
  );
}

/** The same with the body of a request that may come in. */
export function dripBodies({ port, token }: Subject, count: number): Promise<number> {
  const head = [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    "Accept: */*",
    "Content-Length: 100000",
    "",
    "",
  ].join("\r\n");
  return countOpen(
    Array.from({ length: count }, () => drip(port, head, " ".repeat(1000))),
    lateBody,
  );
}

async function countOpen(closed: readonly Promise<void>[], limit: number): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limit);
  });
  const inTime = await Promise.all(closed.map((one) => Promise.race([one.then(() => true), late])));
  clearTimeout(timer);
  return inTime.filter((isInTime) => !isInTime).length;
}

/** Resolves when the other side has closed. */
async function drip(port: number, atOnce: string, slowly: string): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {}); // "close" follows
  socket.resume();
  socket.write(atOnce);
  let at = 0;
  const timer = setInterval(() => {
    socket.write(slowly[at] ?? "");
    at += 1;
  }, 1000);
  await once(socket, "close");
  clearInterval(timer);
}

/** @returns the statuses with which as many attempts to open a session were answered */
export async function trySessions(
  subject: Subject,
  count: number,
  isTimeUp: () => boolean,
): Promise<ReadonlyMap<number, number>> {
  const clientInfo = { name: "many", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const statuses = new Map<number, number>();
  let left = count;
  const lane = async (index: number) => {
    do {
      left -= 1;
      // Every fourth has no token.
      const authorization = index % 4 === 0 ? {} : { authorization: `Bearer ${subject.token}` };
      const headers = { ...authorization, "content-type": "application/json", accept: "*/*" };
      const { status } = await send(subject.port, { headers, body });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    } while (left > 0 && !isTimeUp());
  };
  await Promise.all(Array.from({ length: 16 }, (_, index) => lane(index)));
  return statuses;
}
