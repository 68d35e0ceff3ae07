import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listenOnLoopback, whyUnreachable } from "./loopback.ts";

function create() {
  const server = createServer();
  onTestFinished(() => void server.close());
  return server;
}

test("a connection that cannot be taken does not end the process", async () => {
  const troubles: string[] = [];
  const server = create();
  await listenOnLoopback(server, { onTrouble: ({ message }) => troubles.push(message) });
  server.emit("error", new Error("accept EMFILE"));
  expect(troubles).toEqual(["accept EMFILE"]);
});

test("a port in use is the system's own error", async () => {
  const port = await listenOnLoopback(create(), { onTrouble: () => {} });
  await expect(listenOnLoopback(create(), { port, onTrouble: () => {} })).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
  expect(await whyUnreachable(port)).toBeUndefined();
});
