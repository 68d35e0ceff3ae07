import { expect, test } from "vitest";
import { privateHost } from "../../testing/core.ts";
import { codexSockets } from "./sockets.ts";

test("on Windows there is one pipe for all versions, and no folder moves it", () => {
  const host = privateHost();
  const moved = { ...host, env: { ...host.env, CODEX_HOME: "C:\\elsewhere" } };
  const pipe = "\\\\.\\pipe\\codex-ipc";
  expect(codexSockets(moved, null, "win32")).toEqual({ current: pipe, former: pipe });
});

test("elsewhere root has a former socket without its number", () => {
  const host = { ...privateHost(), env: { CODEX_HOME: "/c" }, tmp: "/t" };
  const current = "/c/ipc/ipc.sock";
  expect(codexSockets(host, 0, "linux")).toEqual({ current, former: "/t/codex-ipc/ipc.sock" });
  expect(codexSockets(host, 7, "linux")).toEqual({ current, former: "/t/codex-ipc/ipc-7.sock" });
});
