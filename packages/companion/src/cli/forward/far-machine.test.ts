import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { createFarMachine } from "./far-machine.ts";
import type { SshSession } from "./ssh-session.ts";

/** A connection whose routes are sockets that nobody there has taken so far. */
function openSession() {
  const routes: string[] = [];
  const session: SshSession = {
    far: { tmp: "/tmp", home: "/home/ada", env: {}, delimiter: ":", ports: new Map(), uid: 1000, pid: 7 },
    ended: new Promise(() => {}),
    say: async () => "",
    addRoute: async (_, here, there) => {
      routes.push(there);
      if (there === "/closed") throw new Error("ssh shares no socket");
      const server = createServer((socket) => socket.end("hello"));
      onTestFinished(() => void server.close());
      await new Promise<void>((resolve) => server.listen(here, resolve));
    },
    onRefusal: () => () => {},
    close: async () => {},
  };
  return { session, routes };
}

test("a socket there that is connected to again needs no other route", async () => {
  const { session, routes } = openSession();
  const far = createFarMachine(session, privateFolder());
  const connections = await Promise.all([
    far.connect("/a.sock"),
    far.connect("/a.sock"),
    far.connect("/b.sock"),
  ]);
  connections.push(await far.connect("/a.sock"));
  expect(await Promise.all(connections.map((one) => one?.refused))).toEqual([false, false, false, false]);
  expect(routes).toEqual(["/a.sock", "/b.sock"]);
});

test("a route that could not be had is asked for again", async () => {
  const { session, routes } = openSession();
  const far = createFarMachine(session, privateFolder());
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(far.connect("/closed")).rejects.toThrow("ssh shares no socket");
  expect(routes).toEqual(["/closed", "/closed"]);
});
