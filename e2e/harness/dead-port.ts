import { createServer } from "node:net";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";

/** How often a CLI tries to open its stream again before it gives up; silently, between 1 and 3 seconds. */
const retries = 2;

/**
 * Waits until a CLI has given up a port on which its companion has died: each of its attempts undoes an
 * `/ide enable` before it.
 */
export async function givenUp(sandbox: Sandbox, port: number): Promise<void> {
  let attempts = 0;
  const server = createServer((socket) => {
    attempts += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  sandbox.own({ close: () => new Promise((resolve) => server.close(() => resolve())) });
  await poll("last attempt of the CLI", () => (attempts >= retries ? true : undefined));
}
