import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { findServingUser, findUser, isStranger, userOfClient, userOfServer } from "./liveness.ts";

const heading =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
const row = (from: string, to: string, uid: number, state = "01") =>
  `   1: ${from} ${to} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 4711 1 0000000000000000 20 4 30 10 -1\n`;
const theirs = { address: "127.0.0.1", port: 0xc001 };
const ours = { address: "127.0.0.1", port: 0x1f90 };

test("the user of a connection is found by its two ends", () => {
  const table =
    heading +
    row("0100007F:1F90", "0100007F:C001", 1000) +
    row("0200007F:C001", "0100007F:1F90", 1001) +
    row("0100007F:C001", "0100007F:1F90", 1002);
  expect(findUser(table, theirs, ours, "LE")).toBe(1002);
  expect(findUser(table, ours, theirs, "LE")).toBe(1000);
  expect(findUser(table, { ...theirs, port: 1 }, ours, "LE")).toBeUndefined();
  expect(findUser("", theirs, ours, "LE")).toBeUndefined();
});

test("also when it was opened by a socket of IPv6, and on machines of the other byte order", () => {
  const mapped = row("0000000000000000FFFF00000100007F:C001", "0000000000000000FFFF00000100007F:1F90", 7);
  expect(findUser(heading + mapped, theirs, ours, "LE")).toBe(7);
  expect(findUser(heading + row("7F000001:C001", "7F000001:1F90", 8), theirs, ours, "BE")).toBe(8);
});

test("before a connection is accepted, its server is whose program listens there", () => {
  const nobodyYet = row("0100007F:1F90", "0100007F:C001", 0);
  const listening = (address: string, uid: number) =>
    row(`${address}:1F90`, `${"0".repeat(address.length)}:0000`, uid, "0A");
  const serving = (...rows: readonly string[]) =>
    findServingUser(heading + rows.join("") + nobodyYet, ours, theirs, "LE");
  expect(serving(listening("0100007F", 1001))).toBe(1001);
  expect(serving(listening("00000000", 1001))).toBe(1001);
  expect(serving(listening("0".repeat(32), 1001))).toBe(1001);
  // Who has the address itself is asked, and not who has the rest of them.
  expect(serving(listening("00000000", 1001), listening("0100007F", 1000))).toBe(1000);
  expect(serving(listening("0200007F", 1001))).toBe(0);
  expect(serving()).toBe(0);
  const accepted = row("0100007F:1F90", "0100007F:C001", 1002);
  expect(findServingUser(listening("0100007F", 1001) + accepted, ours, theirs, "LE")).toBe(1002);
  expect(findServingUser(listening("0100007F", 1001), ours, theirs, "LE")).toBeUndefined();
});

test.skipIf(process.platform !== "linux")(
  "both ends of a connection that is ours are recognised as ours",
  async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const socket = connect({
      port: typeof address === "object" && address ? address.port : 0,
      host: "127.0.0.1",
    });
    onTestFinished(() => {
      socket.destroy();
      server.close();
    });
    const [[peer]] = await Promise.all([once(server, "connection"), once(socket, "connect")]);
    const own = process.getuid?.();
    expect([userOfClient(peer), userOfServer(socket)]).toEqual([own, own]);
  },
);

test("a stranger is who is neither we nor root, as far as anything is known", () => {
  expect([isStranger(1001, 1000), isStranger(1001, 0)]).toEqual([true, true]);
  expect([isStranger(1000, 1000), isStranger(0, 1000), isStranger(undefined, 1000)]).toEqual([
    false,
    false,
    false,
  ]);
  expect(isStranger(1001, null)).toBe(false);
});
