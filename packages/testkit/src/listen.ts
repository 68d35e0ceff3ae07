import { Server as HttpServer } from "node:http";
import { createServer, type Server } from "node:net";

/** Lets a server listen on a free port of the loopback address. @returns the port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error(`no port: ${address}`);
  return address.port;
}

/** Ends a server, with its connections if they are of HTTP. */
export async function closeServer(server: Server): Promise<void> {
  if (server instanceof HttpServer) server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** A port on which nobody listens: it was this process's until a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await closeServer(server);
  return port;
}
