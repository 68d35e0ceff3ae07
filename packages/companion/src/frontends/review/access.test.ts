import { expect, test } from "vitest";
import { createAccess, createPeerGuard } from "./access.ts";

const cookieOf = (setCookie: string | undefined) => setCookie?.split(";")[0];

test("a key lets in once", () => {
  const access = createAccess({ port: 4000 });
  const key = access.newKey();
  const cookie = access.redeem(key);
  expect(cookie).toMatch(/^ide-companion-4000=[\w-]{43}\.[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
  expect(access.admits(cookieOf(cookie))).toBe(true);
  expect(access.redeem(key)).toBeUndefined();
});

test("a key holds 256 random bits and is worth nothing after ten minutes", () => {
  let now = 0;
  const access = createAccess({ port: 4000, now: () => now });
  const [early, late] = [access.newKey(), access.newKey()];
  expect(Buffer.from(early, "base64url")).toHaveLength(32);
  now = 10 * 60_000 - 1;
  expect(access.redeem(early)).toBeDefined();
  now = 10 * 60_000;
  expect(access.redeem(late)).toBeUndefined();
});

test("two links are good at the same time, and unknown keys for nothing", () => {
  const access = createAccess({ port: 4000 });
  const [one, other] = [access.newKey(), access.newKey()];
  expect(access.redeem(other)).toBeDefined();
  expect(access.redeem(one)).toBeDefined();
  expect(access.redeem("")).toBeUndefined();
  expect(access.redeem("x".repeat(43))).toBeUndefined();
});

test("a cookie that was changed, of another port or of another secret is refused", () => {
  const access = createAccess({ port: 4000, secret: "a" });
  const cookie = cookieOf(access.redeem(access.newKey())) ?? "";
  expect(access.admits(undefined)).toBe(false);
  expect(access.admits(`${cookie}x`)).toBe(false);
  expect(access.admits(cookie.replace("=", "=x"))).toBe(false);
  expect(access.admits("ide-companion-4000=")).toBe(false);
  expect(access.admits("ide-companion-4000=.")).toBe(false);
  const elsewhere = createAccess({ port: 4001, secret: "a" });
  expect(elsewhere.admits(cookie.replace("4000", "4001"))).toBe(false);
  expect(createAccess({ port: 4000, secret: "b" }).admits(cookie)).toBe(false);
});

test("a cookie is found among those of other local servers", () => {
  const access = createAccess({ port: 4000 });
  const cookie = cookieOf(access.redeem(access.newKey()));
  expect(access.admits(`other=1; ide-companion-5000=2;${cookie}; last=3`)).toBe(true);
});

test("the same secret on the same port knows an earlier run's cookie, but not its links", () => {
  const before = createAccess({ port: 4000, secret: "kept" });
  const cookie = cookieOf(before.redeem(before.newKey()));
  const after = createAccess({ port: 4000, secret: "kept" });
  expect(after.admits(cookie)).toBe(true);
  expect(after.redeem(before.newKey())).toBeUndefined();
});

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
