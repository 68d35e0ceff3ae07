import { createServer } from "node:http";
import { expect, test } from "vitest";
import { listen } from "../../../../../testkit/src/listen.ts";
import { FrameSocket, upgrade } from "./frame-socket.ts";

test("a socket closes when the other side is gone, although nothing more is sent to it", async ({
  onTestFinished,
}) => {
  const server = createServer();
  onTestFinished(() => void server.close());
  const port = await listen(server);
  const opened = new Promise<FrameSocket>((resolve) => {
    server.once("upgrade", (_, stream, head) => {
      stream.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\n");
      resolve(new FrameSocket(stream, { masks: false, head, onText: () => {} }));
    });
  });
  const cli = await upgrade({ port, headers: {}, within: 5000, onText: () => {} });
  const socket = await opened;
  cli.socket?.cut();
  expect(await socket.closed).toBe(1006);
});
