import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { send } from "../../../testkit/src/fake-cli/gemini-family.ts";
import { startRelay } from "../agents/gemini-family/relay.ts";
import { createPathMap } from "../files/path-map.ts";
import { startReviewFrontend } from "../frontends/review/review-frontend.ts";
import { startCore } from "../testing/core.ts";
import { startPortRelay, toFinding } from "../testing/far-machine.ts";
import { createLoopbackFetch, listenOnLoopback, whyUnreachable } from "./loopback.ts";

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

/** Each is a server that answers with `Keep-Alive`, its own or one that it passes on. */
const servers = {
  companion: async () => (await startCore()).companion,
  relay: async () => {
    const found = toFinding(await startCore());
    return { port: await startPortRelay(startRelay, found, createPathMap([], "/")) };
  },
  "review page": async () => {
    const frontend = await startReviewFrontend({ roots: [] });
    onTestFinished(() => frontend.close());
    return { port: Number(new URL(frontend.url).port) };
  },
};

test.each(Object.entries(servers))(
  "a request on a connection that was idle for less than the %s has promised is not lost",
  async (_, start) => {
    const asked: Server[] = [];
    const onRequest = (message: unknown) => void asked.push((message as { server: Server }).server);
    subscribe("http.server.request.start", onRequest);
    onTestFinished(() => void unsubscribe("http.server.request.start", onRequest));
    const { port } = await start();
    const { headers } = await send(port, { path: "/health", headers: { connection: "keep-alive" } });
    expect(headers["keep-alive"]).toBe("timeout=120");
    const server = asked.find((one) => portOf(one) === port);
    expect(server?.keepAliveTimeout).toBeGreaterThanOrEqual(120_000);
  },
);

test("an answer that no client could have asked for fails the request, and not the process", async () => {
  const server = createHttpServer((_, response) => response.writeHead(999).end());
  onTestFinished(() => void server.close());
  const port = await listenOnLoopback(server, { onTrouble: () => {} });
  const fetch = createLoopbackFetch();
  onTestFinished(() => fetch.close());
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toBeInstanceOf(RangeError);
});

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === "object" ? address?.port : undefined;
}
