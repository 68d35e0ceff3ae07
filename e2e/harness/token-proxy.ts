import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { httpLimits } from "../../packages/companion/src/transport/loopback.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";

/**
 * Adds the token to every request, for clients that cannot send one; passes on all else, a foreign Host included.
 * @returns its port
 */
export async function startTokenProxy(sandbox: Sandbox, port: number, token: string): Promise<number> {
  // The companion's own, whose `Keep-Alive` is passed on.
  const server = createServer({ keepAliveTimeout: httpLimits.keepAliveTimeout }, (request, response) => {
    const { port: own } = server.address() as AddressInfo; // it listens on TCP
    const host = request.headers.host?.replace(`:${own}`, `:${port}`);
    const headers = { ...request.headers, host, authorization: `Bearer ${token}` };
    const { method, url: path } = request;
    const passed = send({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  sandbox.own({
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return (server.address() as AddressInfo).port;
}
