import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../testkit/src/eventually.ts";
import type { Channel } from "./channel.ts";
import { listenForWebSockets, type WebSocketOptions } from "./websocket.ts";

async function listen(options: Partial<WebSocketOptions> = {}) {
  const channels: Channel[] = [];
  const troubles: Error[] = [];
  const listener = await listenForWebSockets({
    maxChannels: 2,
    refuse: () => undefined,
    loadHandler: async () => (channel) => void channels.push(channel),
    onTrouble: (error) => troubles.push(error),
    ...options,
  });
  onTestFinished(() => listener.close());
  const connect = () => {
    const socket = new WebSocket(`ws://127.0.0.1:${listener.port}`);
    socket.on("error", () => {}); // a test that ends cuts connections off
    onTestFinished(() => socket.terminate());
    return socket;
  };
  return { listener, channels, troubles, connect };
}

/** @returns the status of the refusal */
const refusalOf = async (socket: WebSocket): Promise<number> => {
  const [, { statusCode }] = await once(socket, "unexpected-response");
  return statusCode;
};

test("no more connections than allowed are taken, until one ends", async () => {
  const { connect } = await listen();
  const first = connect();
  await once(first, "open");
  await once(connect(), "open");
  expect(await refusalOf(connect())).toBe(503);
  first.close();
  await once(first, "close");
  await once(connect(), "open");
});

test("one who does not read is sent the newest state once he reads, and not all of them", async () => {
  const { channels, connect } = await listen();
  const socket = connect();
  await once(socket, "open");
  const [channel] = channels;
  const heard: string[] = [];
  socket.on("message", (data) => heard.push(String(data).slice(0, 3)));
  socket.pause();
  const state = (number: number) => `${String(number).padStart(3, "0")}${"x".repeat(256 * 1024)}`;
  for (let number = 0; number < 100; number += 1) channel?.sendLatest(state(number));
  await new Promise(setImmediate);
  for (let number = 100; number < 200; number += 1) channel?.sendLatest(state(number));
  socket.resume();
  await eventually(() => expect(heard.at(-1)).toBe("199"));
  expect(heard.length).toBeLessThan(10);
});

test("one who leaves too much unread is cut off, and nobody else", async () => {
  const { channels, connect } = await listen();
  const [socket, other] = [connect(), connect()];
  await Promise.all([once(socket, "open"), once(other, "open")]);
  socket.pause();
  for (let number = 0; number < 96; number += 1) channels[0]?.send("x".repeat(1024 * 1024));
  socket.resume();
  await once(socket, "close");
  const heard = once(other, "message");
  channels[1]?.send("still here");
  expect(String((await heard)[0])).toBe("still here");
});

test("a handler that cannot be loaded is reported, and loaded again for the next one", async () => {
  let count = 0;
  const { troubles, connect } = await listen({
    loadHandler: async () => {
      count += 1;
      if (count === 1) throw new Error("gone");
      return () => {};
    },
  });
  expect(await refusalOf(connect())).toBe(503);
  expect(troubles).toHaveLength(1);
  await once(connect(), "open");
});
