import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { privateHost } from "../../testing/core.ts";
import { version } from "../../version.ts";
import { startReviewFrontend } from "../review/review-frontend.ts";
import { createFramingCheck, framingLimits, startLspFrontend } from "./lsp-frontend.ts";

const frame = (body: string, header = `Content-Length: ${Buffer.byteLength(body)}`) =>
  `${header}\r\n\r\n${body}`;

test("messages pass wherever they are cut", () => {
  const text = Buffer.from(
    frame('{"a":"é"}') +
      frame("{}", "content-length:2\r\nContent-Type: application/x; charset=utf8") +
      frame(""),
  );
  for (let cut = 0; cut <= text.length; cut += 1) {
    const check = createFramingCheck();
    check(text.subarray(0, cut));
    check(text.subarray(cut));
  }
  const byByte = createFramingCheck();
  for (const byte of text) byByte(Buffer.from([byte]));
});

/** A frontend, and both ends of its editor's pipes. */
function start() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const frontend = startLspFrontend({
    input,
    output,
    host: privateHost(),
    version,
    startPage: startReviewFrontend,
    openLink: async () => false,
  });
  onTestFinished(() => frontend.close());
  return { input, output, frontend };
}

const broken: [string, string, string][] = [
  ["no length", "Content-Type: x\r\n\r\n{}", "0 lengths"],
  ["two lengths", frame("{}", "Content-Length: 2\r\nContent-Length: 2"), "2 lengths"],
  ["a negative length", frame("{}", "Content-Length: -2"), "no number"],
  ["a length and more", frame("{}", "Content-Length: 2, 2"), "no number"],
  ["a hexadecimal length", frame("{}", "Content-Length: 0x2"), "no number"],
  ["a huge length", frame("{}", "Content-Length: 999999999999"), "at most"],
  ["a length beyond numbers", frame("{}", `Content-Length: ${"9".repeat(40)}`), "no number"],
  ["another charset", frame("{}", "Content-Length: 2\r\nContent-Type: x; charset=utf-16"), "UTF-8"],
  ["a line without a name", frame("{}", "hello"), "no name"],
  ["a folded line", frame("{}", "Content-Length:\r\n 2"), "no name"],
  ["no end of the header", "x".repeat(framingLimits.header + 1), "4096 bytes"],
  ["HTTP", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "no name"],
];

test.each(broken)("%s ends the conversation, and the editor hears why", async (_, text, reason) => {
  for (const size of [text.length, 1]) {
    const { input, output, frontend } = start();
    let answered = "";
    output.on("data", (bytes: Buffer) => {
      answered += bytes;
    });
    for (let at = 0; at < text.length; at += size) input.write(text.slice(at, at + size));
    expect(await frontend.ended).toBe(1);
    expect(answered).toContain(reason);
  }
});

test("a message that is no JSON is dropped, not quoted, and the next one is answered", async () => {
  const { input, output } = start();
  let sent = "";
  const answered = new Promise<void>((resolve) => {
    output.on("data", (bytes: Buffer) => {
      sent += bytes;
      if (sent.includes('"id":7')) resolve();
    });
  });
  input.write(frame('{"selected": my secret}'));
  input.write(frame('{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"capabilities":{}}}'));
  await answered;
  expect(sent).toContain("no JSON");
  expect(sent).not.toContain("secret");
});

test("an editor that goes away behind a message that is none is not an error of ours, and not quoted", async () => {
  for (const isAlone of [true, false]) {
    const { input, output, frontend } = start();
    input.write(frame('{"jsonrpc":"2.0","selected":"my secret"}'));
    if (isAlone) input.end();
    else await once(output, "readable");
    expect(String(output.read())).not.toContain("secret");
    input.end();
    await frontend.ended;
    await frontend.close();
    await new Promise(setImmediate);
  }
});
