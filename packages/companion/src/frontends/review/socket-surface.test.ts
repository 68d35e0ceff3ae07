import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { createSocketSurface } from "./socket-surface.ts";

const admitAll = { newKey: () => "", redeem: () => undefined, newCookie: () => "", admits: () => true };

async function startSockets(pingInterval: number) {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  const [onPage, onMessage, onGone] = [vi.fn(), vi.fn(), vi.fn()];
  const surface = createSocketSurface({
    port,
    access: admitAll,
    refusePeer: () => undefined,
    onPage,
    onMessage,
    onGone,
    pingInterval,
  });
  server.on("upgrade", surface.upgrade);
  onTestFinished(() => {
    surface.close();
    server.close();
  });
  const open = (autoPong: boolean) =>
    new WebSocket(`ws://127.0.0.1:${port}/socket`, { origin: `http://127.0.0.1:${port}`, autoPong });
  return { open, surface, onPage, onMessage, onGone };
}

test("a page that gives no sign of life is let go, one that does stays", async () => {
  const { open, onGone } = await startSockets(300);
  const [dead, alive] = [open(false), open(true)];
  await once(alive, "open");
  await once(dead, "close");
  await eventually(() => expect(onGone).toHaveBeenCalledTimes(1));
  await once(alive, "ping");
  expect(alive.readyState).toBe(WebSocket.OPEN);
});

test("the first message is heard although its reader is loaded only then", async () => {
  const { open, onMessage } = await startSockets(30_000);
  const page = open(true);
  await once(page, "open");
  page.send(JSON.stringify({ type: "diffRejected", id: "1" }));
  await eventually(() =>
    expect(onMessage).toHaveBeenCalledWith(expect.anything(), { type: "diffRejected", id: "1" }, undefined),
  );
});

test("nobody is let in while the frontend closes", async () => {
  const { open, surface, onPage } = await startSockets(30_000);
  const coming = open(true);
  surface.close();
  const [error] = await once(coming, "error");
  expect(error.message).toContain("503");
  expect(onPage).not.toHaveBeenCalled();
});
