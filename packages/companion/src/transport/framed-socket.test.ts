import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../testkit/src/eventually.ts";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { toFramedChannel } from "./framed-socket.ts";
import { connectToLocalSocket } from "./local-socket.ts";

/** A channel, and the raw socket at its other end. */
async function start(options: Parameters<typeof toFramedChannel>[1]) {
  const path = join(privateFolder(), "test.sock");
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket)).listen(path);
  onTestFinished(() => void server.close());
  await eventually(() => expect(server.listening).toBe(true));
  const raw = await connectToLocalSocket(path);
  raw.on("error", () => {});
  const socket = await eventually(() => accepted[0] ?? Promise.reject(new Error("not accepted")));
  onTestFinished(() => void [raw, socket].map((each) => each.destroy()));
  const channel = toFramedChannel(socket, options);
  const heard: string[] = [];
  channel.onMessage((message) => heard.push(message));
  let isClosed = false;
  channel.onClose(() => {
    isClosed = true;
  });
  return { raw, channel, heard, isClosed: () => isClosed };
}

const limits = { maxMessage: () => 1024, maxUnread: 1024 * 1024 };

function frame(text: string): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.alloc(4);
  header.writeUInt32LE(body.length);
  return Buffer.concat([header, body]);
}

test("messages arrive whole however their bytes are cut", async () => {
  const { raw, heard } = await start(limits);
  const texts = ["one", "zwölf €", "x".repeat(600)];
  raw.write(Buffer.concat(texts.map(frame)));
  await eventually(() => expect(heard).toEqual(texts));
  for (const byte of frame("ü and €")) {
    await new Promise((resolve) => raw.write(Buffer.of(byte), resolve));
  }
  await eventually(() => expect(heard.at(-1)).toBe("ü and €"));
});

test("a message is sent behind its length in bytes", async () => {
  const { raw, channel } = await start(limits);
  channel.send("zwölf");
  channel.close();
  expect(Buffer.concat(await raw.toArray())).toEqual(Buffer.from("\u0006\0\0\0zwölf"));
});

test.each([
  ["too long a message", Buffer.from([1, 4, 0, 0])],
  ["an empty message", Buffer.alloc(4)],
])("%s closes the channel, and those before it have arrived", async (_, header) => {
  const { raw, heard, isClosed } = await start(limits);
  raw.write(Buffer.concat([frame("before"), header]));
  await eventually(() => expect(isClosed()).toBe(true));
  expect(heard).toEqual(["before"]);
});

test("one who reads nothing is cut off", async () => {
  const { raw, channel, isClosed } = await start({ ...limits, maxUnread: 100_000 });
  raw.pause();
  for (let index = 0; index < 20; index += 1) channel.send("x".repeat(100_000));
  await eventually(() => expect(isClosed()).toBe(true));
});

test("one who reads nothing does not hold up a channel that closes", async () => {
  const { raw, channel, isClosed } = await start({ ...limits, maxUnread: 10_000_000 });
  raw.pause();
  channel.send("x".repeat(5_000_000));
  channel.close();
  await eventually(() => expect(isClosed()).toBe(true));
});
