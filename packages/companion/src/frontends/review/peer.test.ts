import { expect, test } from "vitest";
import { createPeerGuard } from "./peer.ts";

test("another user is refused and hears why, root and the owner are not, and nobody where nothing is known", () => {
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

test("whose a connection is, is asked once", () => {
  let asked = 0;
  const guard = createPeerGuard(1000, () => {
    asked += 1;
    return 1001;
  });
  const socket = {};
  expect([guard(socket)?.status, guard(socket)?.status, asked]).toEqual([403, 403, 1]);
});
