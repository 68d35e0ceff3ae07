import { PassThrough } from "node:stream";
import fc from "fast-check";
import { startLspFrontend } from "../../packages/companion/src/frontends/lsp/lsp-frontend.ts";
import { startReviewFrontend } from "../../packages/companion/src/frontends/review/review-frontend.ts";
import { messageOf } from "../../packages/companion/src/system/error-message.ts";
import { settleWithin } from "../../packages/testkit/src/waiting.ts";
import type { Sandbox } from "../harness/sandbox.ts";

/** Half surrogates, which no text in UTF-8 can hold. */
const surrogates = { first: 0xd800, count: 0x800 };

/** Any character of Unicode. fast-check's own `binary` makes a table of them all, which takes a second. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - surrogates.count)
  .map((number) => String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count));

/** Pieces of what an editor may write to its language server. */
export const conversations: fc.Arbitrary<readonly Buffer[]> = fc
  .tuple(fc.array(message(), { maxLength: 6 }), fc.array(fc.nat(3000), { maxLength: 30 }))
  .map(([messages, cuts]) => cut(Buffer.concat(messages), cuts));

function message(): fc.Arbitrary<Buffer> {
  const known = fc.constantFrom<object>(
    { id: 1, method: "initialize", params: { processId: process.pid, capabilities: {} } },
    { method: "initialized", params: {} },
    { method: "textDocument/didOpen", params: { textDocument: { uri: "file:///a", version: 1, text: "a" } } },
    {
      method: "textDocument/didChange",
      params: { textDocument: { uri: "file:///a" }, contentChanges: [{ text: "b" }] },
    },
    { id: 2, method: "textDocument/codeAction", params: null },
    { id: 3, method: "workspace/executeCommand", params: { command: "ide-companion.accept" } },
    { method: "companion/context", params: { files: [{ path: 1 }] } },
    { id: 4, method: "companion/diffAccepted", params: { __proto__: null, id: "1", content: "" } },
    {
      method: "workspace/didChangeWorkspaceFolders",
      params: { event: { added: [{ uri: "%%%" }], removed: [] } },
    },
    { method: "$/cancelRequest", params: { id: 1 } },
    { id: 1, result: null },
    { id: 5, method: "shutdown" },
  );
  const text = fc.oneof(
    { weight: 6, arbitrary: known.map((one) => JSON.stringify({ jsonrpc: "2.0", ...one })) },
    { weight: 2, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter }) },
  );
  const header = fc.constantFrom<(length: number) => string>(
    (length) => `Content-Length: ${length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8`,
    (length) => `Content-Length: ${length}\r\nContent-Length: ${length + 1}`,
    (length) => `Content-Length: ${length + 1}`,
    (length) => `Content-Length: ${Math.max(0, length - 1)}`,
    (length) => `Content-Length: -${length}`,
    (length) => `Content-Length: ${length}e3`,
    (length) => `content-length:${length}`,
    (length) => `Content-Length: ${length}\r\nContent-Type: a; charset=utf-16le`,
    () => `Content-Length: ${2 ** 40}`,
    () => "Content-Type: x",
    () => "x".repeat(5000),
    () => "",
  );
  const usual = fc.constant((length: number) => `Content-Length: ${length}`);
  const framed = fc.oneof({ weight: 8, arbitrary: usual }, { weight: 2, arbitrary: header });
  return fc.tuple(framed, text).map(([toHeader, body]) => {
    const bytes = Buffer.from(body);
    return Buffer.concat([Buffer.from(`${toHeader(bytes.length)}\r\n\r\n`), bytes]);
  });
}

/** Cuts bytes, or a text, into pieces. */
export function cut(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const positions = [...new Set(cuts.map((at) => at % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...positions, bytes.length].map((end, index) => bytes.subarray(positions[index - 1] ?? 0, end));
}

/** In milliseconds. */
const patience = 20_000;

/** @returns what was broken, or undefined */
export async function converse({ host }: Sandbox, pieces: readonly Buffer[]): Promise<string | undefined> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answer: Buffer[] = [];
  output.on("data", (bytes: Buffer) => answer.push(bytes));
  const frontend = startLspFrontend({
    input,
    output,
    host,
    version: "0.0.0",
    startPage: startReviewFrontend,
    openLink: async () => false,
  });
  for (const piece of pieces) {
    input.write(piece);
    await new Promise(setImmediate);
  }
  input.end();
  try {
    await settleWithin("the end of the frontend, whose input has ended,", patience, frontend.ended);
    await settleWithin("closing the frontend", patience, frontend.close());
  } catch (error) {
    return messageOf(error);
  }
  return describeFrames(Buffer.concat(answer));
}

/** @returns what is wrong with what we have written ourselves */
function describeFrames(bytes: Buffer): string | undefined {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\r\n\r\n", at);
    const [, length] = /^Content-Length: (\d+)$/.exec(bytes.toString("latin1", at, end)) ?? [];
    if (length === undefined) return `the frontend has written no message at byte ${at}`;
    at = end + 4 + Number(length);
    JSON.parse(bytes.toString("utf8", end + 4, at));
  }
  return undefined;
}
