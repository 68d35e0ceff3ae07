import { createServer, get, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createHttpRelay } from "./http-relay.ts";

test("events pass in the pieces in which they come, and line by line", async () => {
  const sent = [": first\n", "\nid: 1\ndata: {", '"text":"ä', '"}\n', "\n: one\n: two\ndata: 1\n\n"];
  const read = await readRelayed(async (response) => {
    for (const piece of sent) await new Promise((resolve) => response.write(piece, resolve));
  });
  expect(read).toBe(
    ': first\n\nid: 1\ndata: {"passed":{"text":"ä"}}\n\n: one\n: two\ndata: {"passed":1}\n\n',
  );
});

test("an event of 8 MB is passed on whole", async () => {
  const event = `data: "${"x".repeat(8 * 1024 * 1024)}"\n\n`;
  const read = await readRelayed((response) => void response.write(event));
  expect(read.length).toBe(event.length + '{"passed":}'.length);
});

/** What an agent reads of a stream behind the relay, which marks every message. */
async function readRelayed(write: (response: ServerResponse) => void | Promise<void>): Promise<string> {
  const companion = createServer(async (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    await write(response);
    response.end();
  });
  const port = await listen(companion);
  const relay = createHttpRelay({
    served: ["/mcp"],
    toCompanion: () => ({ host: "127.0.0.1", port, hostHeader: undefined }),
    toHere: (message) => message,
    toThere: (passed) => ({ passed }),
  });
  const agent = get({ host: "127.0.0.1", port: await listen(relay), path: "/mcp" });
  return new Promise((resolve, reject) => {
    agent.on("error", reject);
    agent.on("response", (stream) => readText(stream).then(resolve, reject));
  });
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port; // it listens on a port
}
