import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { httpLimits } from "../../packages/companion/src/transport/loopback.ts";
import { maxMessageBytes } from "../../packages/companion/src/transport/message-limit.ts";
import type { WireClient } from "../../packages/testkit/src/fake-cli/gemini-family.ts";
import { settleWithin } from "../../packages/testkit/src/waiting.ts";
import type { Subject } from "./subject.ts";

/** The longest that the event loop may be blocked, in milliseconds. */
const longestBlock = 200;

/** Lines of texts that are hard for different reasons. */
const lines = ["const a = 'b';\n", 'say("it");\n', "日本語のテキスト\n"];

/** Bodies of the largest allowed size that hold no text. */
const bodies: readonly (readonly [name: string, start: string, unit: string, end: string, status: number])[] =
  [
    ["millions of numbers", "[", "1,", "1]", 413],
    ["millions of brackets", "", "[", "", 413],
    ["millions of names", "{", '"a":1,', '"a":1}', 413],
    ["white space", "", " ", "", 400],
    ["backslashes without an end", '"', "\\\\", "", 400],
  ];

/**
 * Sends the largest allowed messages: proposals that come back as an answer and in a file, and what is no message.
 * @returns what was broken, and the longest time for which the event loop was blocked, in milliseconds
 */
export async function sendLargeBodies(subject: Subject, cli: WireClient, isTimeUp: () => boolean) {
  const broken: string[] = [];
  let worst = 0;
  const attempt = async (name: string, wanted: number, run: () => Promise<{ status: number }>) => {
    if (isTimeUp()) return;
    const { status, blocked } = await leastBlocked(subject, run);
    worst = Math.max(worst, blocked);
    if (status !== wanted) broken.push(`${name} is answered with ${status} instead of ${wanted}`);
    if (blocked > longestBlock) broken.push(`${name} blocks the event loop for ${blocked} ms`);
  };
  const filePath = join(subject.sandbox.workspace, "large.txt");
  for (const line of lines) {
    const newContent = line.repeat(12_000_000 / Buffer.byteLength(JSON.stringify(line)));
    for (const tool of ["closeDiff", "acceptDiff"]) {
      await attempt(`${tool} of 12 MB of ${line}`, 200, async () => {
        await cli.call("openDiff", { filePath, newContent });
        const { status, message } = await cli.request("tools/call", { name: tool, arguments: { filePath } });
        return { status: message.result?.isError ? 0 : status };
      });
    }
  }
  for (const [name, start, unit, end, status] of bodies) {
    const room = (maxMessageBytes - start.length - end.length) / unit.length;
    await attempt(name, status, () => cli.send(Buffer.from(start + unit.repeat(room) + end)));
  }
  return { broken, worst };
}

/** Other processes can only add to it: the best of three attempts counts. */
async function leastBlocked(subject: Subject, run: () => Promise<{ status: number }>) {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 1; ; attempt += 1) {
    await subject.blockedFor();
    const { status } = await run();
    least = Math.min(least, await subject.blockedFor());
    if (least <= longestBlock || attempt === 3) return { status, blocked: Math.round(least) };
  }
}

/** Requests of which a part comes a byte a second, and how long they may take, in milliseconds. */
const drips = [
  { what: "head", count: 200, limit: httpLimits.headersTimeout },
  { what: "body", count: 50, limit: httpLimits.requestTimeout },
].map(({ limit, ...drip }) => ({
  ...drip,
  // With time for the companion to notice.
  within: limit + 2 * httpLimits.connectionsCheckingInterval + 5000,
}));

/**
 * Lets many connections send a head, and a body, that has no end: those for which there is time.
 * @returns what each kind has come to: how many there were, and how many are still open after the limit
 */
export async function drip({ port, pagePort, token }: Subject, minutes: number) {
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nAccept: */*\r\nContent-Length: 100000\r\n\r\n`;
  const due = drips.filter(({ within }) => within < minutes * 60_000);
  return Promise.all(
    due.map(async ({ what, count, within }) => {
      const closed = Array.from({ length: count }, (_, index) =>
        what === "body"
          ? trickle(port, head, " ")
          : trickle(index % 2 === 0 ? port : pagePort, "GET /health HTTP/1.1\r\nX-Slow: ", "a"),
      );
      const results = await Promise.allSettled(closed.map((one) => settleWithin("the end", within, one)));
      return { what, count, open: results.filter(({ status }) => status === "rejected").length };
    }),
  );
}

/** Resolves when the other side has closed. */
async function trickle(port: number, atOnce: string, byte: string): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {}); // "close" follows
  socket.resume();
  socket.write(atOnce);
  const timer = setInterval(() => socket.write(byte), 1000);
  await once(socket, "close");
  clearInterval(timer);
}
