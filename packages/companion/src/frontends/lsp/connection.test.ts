import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { privateHost } from "../../testing/core.ts";
import { version } from "../../version.ts";
import { startReviewFrontend } from "../review/review-frontend.ts";
import { startLspFrontend } from "./lsp-frontend.ts";

const frame = (body: string, header = `Content-Length: ${Buffer.byteLength(body)}`) =>
  `${header}\r\n\r\n${body}`;

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
  ["no length", "Content-Type: x\r\n\r\n{}", "Content-Length"],
  ["a length that is no number", frame("{}", "Content-Length: two"), "must be a number"],
  ["a line without a name", frame("{}", "hello"), "separate key and value"],
  ["a folded line", frame("{}", "Content-Length:\r\n 2"), "separate key and value"],
  ["HTTP", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "separate key and value"],
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
