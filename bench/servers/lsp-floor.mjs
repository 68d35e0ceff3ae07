import { measurements, serve } from "./commands.mjs";

// The minimal language server: it reads, parses, and answers every request with nothing.
let received = Buffer.alloc(0);
process.stdin.on("data", (bytes) => {
  received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
  for (let end = received.indexOf("\r\n\r\n"); end >= 0; end = received.indexOf("\r\n\r\n")) {
    const length = Number(/Content-Length: (\d+)/.exec(received.toString("latin1", 0, end))[1]);
    if (received.length < end + 4 + length) return;
    const { id, method } = JSON.parse(received.toString("utf8", end + 4, end + 4 + length));
    received = received.subarray(end + 4 + length);
    if (id !== undefined) answer(id, method);
  }
});

function answer(id, method) {
  const result = method === "initialize" ? { capabilities: {} } : null;
  const body = JSON.stringify({ jsonrpc: "2.0", id, result });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

serve(measurements);
