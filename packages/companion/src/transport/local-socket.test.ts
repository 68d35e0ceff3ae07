import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { connectToLocalSocket, listenOnLocalSocket, localPath, maxSocketPath } from "./local-socket.ts";

const at = (folder: string) => join(folder, "own", "test.sock");

function create() {
  const server = createServer((socket) => void socket.on("error", () => {}).end("hello"));
  onTestFinished(() => void server.close());
  return server;
}

const listen = (path: string, server = create()) =>
  listenOnLocalSocket(server, { path, onTrouble: () => {} });

async function hear(path: string): Promise<string> {
  const socket = await connectToLocalSocket(path);
  const chunks = await socket.toArray();
  return String(Buffer.concat(chunks));
}

test("a socket is private, alone in its folder, and removed", async () => {
  const path = at(privateFolder());
  const socket = await listen(path);
  expect(await hear(path)).toBe("hello");
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect(lstatSync(join(path, "..")).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(path, ".."))).toEqual(["test.sock"]);
  expect(socket.isInPlace()).toBe(true);
  socket.remove();
  socket.remove();
  await expect(hear(path)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a folder that others may write to is closed to them", async () => {
  const path = at(privateFolder());
  mkdirSync(join(path, ".."));
  chmodSync(join(path, ".."), 0o777);
  await listen(path);
  expect(lstatSync(join(path, "..")).mode & 0o777).toBe(0o700);
});

test("a socket that somebody serves is left alone", async () => {
  const path = at(privateFolder());
  await listen(path);
  await expect(listen(path)).rejects.toMatchObject({ code: "EADDRINUSE" });
  expect(await hear(path)).toBe("hello");
  expect(readdirSync(join(path, ".."))).toEqual(["test.sock"]);
});

test("the socket of a killed process is replaced", async () => {
  const path = at(privateFolder());
  mkdirSync(join(path, ".."));
  const script = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", script]);
  await expect(hear(path)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await listen(path);
  expect(await hear(path)).toBe("hello");
});

test("of many that come at once exactly one listens", async () => {
  const path = at(privateFolder());
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => listen(path)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await hear(path)).toBe("hello");
});

test("another one's socket of the same name is neither removed nor taken for one's own", async () => {
  const path = at(privateFolder());
  const server = create();
  const former = await listen(path, server);
  rmSync(path);
  expect(former.isInPlace()).toBe(false);
  await listen(path);
  former.remove();
  await new Promise((resolve) => server.close(resolve));
  expect(await hear(path)).toBe("hello");
});

test("a socket whose folder is out of reach is not in place, and removing it does nothing", async () => {
  const path = at(privateFolder());
  const socket = await listen(path);
  rmSync(join(path, ".."), { recursive: true });
  writeFileSync(join(path, ".."), "");
  expect(socket.isInPlace()).toBe(false);
  expect(() => socket.remove()).not.toThrow();
});

test("what is no socket is left alone", async () => {
  const path = at(privateFolder());
  mkdirSync(join(path, ".."));
  writeFileSync(path, "notes");
  await expect(listen(path)).rejects.toThrow(`${path} is no socket. Remove it and start again.`);
});

test("a path that the system would cut is refused in words", async () => {
  const path = join(privateFolder(), "long".repeat(30), "test.sock");
  await expect(listen(path)).rejects.toThrow(
    `has ${Buffer.byteLength(path)} bytes, and the path of a socket has at most ${maxSocketPath()}`,
  );
});

test("another user's socket is not connected to", async () => {
  const path = at(privateFolder());
  await listen(path);
  await expect(connectToLocalSocket(path, 4711)).rejects.toThrow("must belong to you (user 4711)");
});

test("an endpoint is a file, and on Windows a pipe", () => {
  const name = { folder: "/home/ada/.tool/ipc", file: "ipc.sock", pipe: "tool-ipc" };
  expect(localPath(name, "linux")).toBe("/home/ada/.tool/ipc/ipc.sock");
  expect(localPath(name, "win32")).toBe("\\\\.\\pipe\\tool-ipc");
  expect([maxSocketPath("linux"), maxSocketPath("darwin")]).toEqual([107, 103]);
});

test("a named pipe is opened by its name alone, which gives other users of the machine no right to write", async () => {
  const server = create();
  const asked: unknown[] = [];
  const open = vi.spyOn(server, "listen").mockImplementation((...given: unknown[]) => {
    const ready = given.pop();
    asked.push(...given);
    if (typeof ready === "function") ready();
    return server;
  });
  const { isInPlace } = await listen("\\\\.\\pipe\\tool-ipc", server);
  open.mockRestore();
  expect(asked).toEqual(["\\\\.\\pipe\\tool-ipc"]);
  expect(isInPlace()).toBe(true);
});
