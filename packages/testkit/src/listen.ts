import type { Server } from "node:net";

/** Lets a server listen on a free port of the loopback address. @returns the port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error(`no port: ${address}`);
  return address.port;
}
