import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { addressIn, onceAskedToEnd } from "./example-editor.ts";

test("an example listens at a socket in its folder, and on Windows at a pipe of that folder", () => {
  expect(addressIn("/tmp/conf-1/s2", "editor", "linux")).toBe("/tmp/conf-1/s2/editor");
  const pipe = (folder: string) => addressIn(folder, "mcp.sock", "win32");
  expect(pipe("C:\\Temp\\conf-1\\s2")).toBe("\\\\.\\pipe\\C--Temp-conf-1-s2-mcp.sock");
  expect(pipe("C:\\Temp\\conf-1\\s3")).not.toBe(pipe("C:\\Temp\\conf-1\\s2"));
});

test("the example ends by a signal, and on Windows with its standard input", async () => {
  const program = (platform: NodeJS.Platform) =>
    Object.assign(new EventEmitter(), { platform, stdin: new PassThrough() });
  const [onLinux, onWindows] = [program("linux"), program("win32")];
  for (const each of [onLinux, onWindows]) {
    const end = vi.fn();
    onceAskedToEnd(["SIGTERM"], end, each);
    each.stdin.end();
    each.emit("SIGTERM");
    await vi.waitFor(() => expect(end).toHaveBeenCalledOnce());
  }
  expect([onLinux.stdin.readableFlowing, onWindows.stdin.readableEnded]).toEqual([null, true]);
});
