import { expect, test } from "vitest";
import { readLock } from "./claude.ts";

const content = {
  pid: 7,
  workspaceFolders: ["/shop", "relative", 1],
  ideName: "Neovim",
  transport: "ws",
  authToken: "secret",
  runningInWindows: false,
};

test("a lock file says where a companion listens, whichever companion has written it", () => {
  expect(readLock(JSON.stringify(content), { port: 41_000 })).toEqual({
    port: 41_000,
    token: "secret",
    roots: ["/shop"],
    ide: { name: "editor", displayName: "Neovim" },
    pid: 7,
    serverPid: undefined,
  });
  const { roots, ide, token } = readLock('{"transport":"ws"}', { port: 41_000 });
  expect({ roots, ide, token }).toEqual({ roots: [], ide: undefined, token: undefined });
});

test.each([
  ["{", "it is not a JSON object"],
  ["null", "it is not a JSON object"],
  ['{"transport":"sse"}', 'its transport is "sse", and not "ws"'],
])("the lock file %s is none", (text, reason) => {
  expect(() => readLock(text, { port: 41_000 })).toThrow(new Error(reason));
});
