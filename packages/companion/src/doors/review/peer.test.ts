import { once } from "node:events";
import { connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createPeerGuard, findUid } from "./peer.ts";

const heading =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
const row = (from: string, to: string, uid: number) =>
  `   1: ${from} ${to} 01 00000000:00000000 00:00000000 00000000  ${uid}        0 4711 1 0000000000000000 20 4 30 10 -1\n`;
const theirs = { address: "127.0.0.1", port: 0xc001 };
const ours = { address: "127.0.0.1", port: 0x1f90 };

test("the user of a connection is found by its two ends", () => {
  const table =
    heading +
    row("0100007F:1F90", "0100007F:C001", 1000) +
    row("0200007F:C001", "0100007F:1F90", 1001) +
    row("0100007F:C001", "0100007F:1F90", 1002);
  expect(findUid(table, theirs, ours, "LE")).toBe(1002);
  expect(findUid(table, ours, theirs, "LE")).toBe(1000);
  expect(findUid(table, { ...theirs, port: 1 }, ours, "LE")).toBeUndefined();
  expect(findUid("", theirs, ours, "LE")).toBeUndefined();
});

test("also when it was opened by a socket of IPv6, and on machines of the other byte order", () => {
  const mapped = row("0000000000000000FFFF00000100007F:C001", "0000000000000000FFFF00000100007F:1F90", 7);
  expect(findUid(heading + mapped, theirs, ours, "LE")).toBe(7);
  expect(findUid(heading + row("7F000001:C001", "7F000001:1F90", 8), theirs, ours, "BE")).toBe(8);
});

test.skipIf(process.platform !== "linux")("a real connection of our own is told to be ours", async () => {
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
  const [peer] = await once(server, "connection");
  expect(createPeerGuard()(peer)).toBeUndefined();
  // Whoever is neither the owner nor root.
  const own = process.getuid?.() ?? 0;
  if (own !== 0) expect(createPeerGuard(own + 1)(peer)?.status).toBe(403);
});

test("another user is refused and told why, root and the owner are not, and nobody where nothing is known", () => {
  const refusal = (uid: number | null, peer: number | undefined) => createPeerGuard(uid, () => peer)({});
  expect(refusal(1000, 1001)).toMatchObject({ status: 403, reason: expect.stringContaining("user 1001's") });
  expect(refusal(0, 1001)?.status).toBe(403);
  expect([refusal(1000, 1000), refusal(1000, 0), refusal(1000, undefined), refusal(null, 1001)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
