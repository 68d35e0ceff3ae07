import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../testkit/src/eventually.ts";
import { startCore } from "../testing/core.ts";
import { EventStream } from "./event-stream.ts";

/** A stream, and the socket of its client, which does not read. */
async function openUnread() {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  const [, response] = await once(server, "request");
  return { socket, response, stream: new EventStream(response, {}) };
}

test("for a client that does not read, contexts coalesce to the newest and outcomes are kept", async () => {
  const { socket, response, stream } = await openUnread();
  const count = 4000;
  for (let index = 1; index <= count; index += 1) {
    stream.writeContext(Buffer.alloc(18_000, `context ${index} `));
    if (index === 2000) stream.write(Buffer.from("the outcome"));
    // Lets the kernel take what it can, as it would between two events of a user.
    await new Promise(setImmediate);
  }
  expect(response.writableLength).toBeLessThan(200_000);

  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.resume();
  await eventually(() => expect(text).toContain(`context ${count} `));
  expect(text).toContain("the outcome");
  expect(text.length).toBeLessThan((count * 18_000) / 4);
  socket.destroy();
});

test("what a client has not read when it goes has not left", async () => {
  const { socket, response, stream } = await openUnread();
  let isFlushed = false;
  stream.write(Buffer.alloc(12_000_000, "x"), () => {
    isFlushed = true;
  });
  // The system takes what it can, and the rest waits in the socket.
  await wait(50);
  socket.destroy();
  await once(response, "close");
  await new Promise(setImmediate);
  expect(isFlushed).toBe(false);
});

test("a stream that is silent is kept alive by a comment", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const { client } = await startCore();
    const cli = await client().initialize();
    const stream = await cli.openStream();
    await stream.method("ide/contextUpdate");
    vi.advanceTimersByTime(15_000);
    await expect.poll(() => stream.comments).toEqual(["keep-alive"]);
  } finally {
    vi.useRealTimers();
  }
});

test("close ends 100 sessions whose streams are open, and the files are gone first", async () => {
  const { client, companion, editor } = await startCore();
  const clis = await Promise.all(Array.from({ length: 100 }, () => client().initialize()));
  const streams = await Promise.all(clis.map((cli) => cli.openStream()));
  await clis[0]?.call("openDiff", { filePath: "/x", newContent: "y" });
  await Promise.all([companion.close(), companion.close()]);
  expect(companion.discoveryFiles).toEqual([]);
  await Promise.all(streams.map((stream) => stream.ended()));
  expect(editor.closed).toEqual([{ filePath: "/x", reason: "shutdown" }]);
});
