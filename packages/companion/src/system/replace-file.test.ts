import { expect, test } from "vitest";
import { onceFree, replaceFile, replaceFileSync, retryDelay, whyHeld } from "./replace-file.ts";

const failure = (code: string) => Object.assign(new Error(code), { code });

/** A rename that fails for as long as another program has the file open. */
function heldFor(tries: number, code = "EPERM") {
  const made: string[] = [];
  return {
    made,
    rename: (from: string, to: string) => {
      made.push(`${from} ${to}`);
      if (made.length <= tries) throw failure(code);
    },
  };
}

test("on Windows a file that another program holds open for a moment is replaced all the same", async () => {
  for (const code of ["EPERM", "EACCES", "EBUSY"]) {
    const { made, rename } = heldFor(3, code);
    await replaceFile("new", "old", { rename, platform: "win32" });
    expect(made, code).toEqual(["new old", "new old", "new old", "new old"]);
  }
  const { made, rename } = heldFor(3);
  replaceFileSync("new", "old", { rename, platform: "win32" });
  expect(made).toHaveLength(4);
});

test("on Windows a file that another program keeps from being read for a moment is read all the same", async () => {
  const { made, rename } = heldFor(3, "EBUSY");
  const read = () => {
    rename("read", "it");
    return "text";
  };
  expect(await onceFree(read, "win32")).toBe("text");
  expect(made).toHaveLength(4);
});

test("a file that stays held is said to be open, instead of an operation not to be permitted", () => {
  expect(whyHeld(failure("EBUSY"), "win32")).toBe(
    "another program has it open, or you may not change it (EBUSY)",
  );
  expect(whyHeld(failure("ENOSPC"), "win32")).toBeUndefined();
  expect(whyHeld(failure("EPERM"), "linux")).toBeUndefined();
});

test("what another program has written while it held the file open is seen before the next try", async () => {
  const { made, rename } = heldFor(1);
  const check = () => {
    if (made.length === 1) throw new Error("it has changed");
  };
  await expect(replaceFile("new", "old", { rename, check, platform: "win32" })).rejects.toThrow(
    "it has changed",
  );
  expect(made).toHaveLength(1);
});

test("everywhere else, and for every other error, the first failure is final", async () => {
  const linux = heldFor(1);
  await expect(replaceFile("a", "b", { ...linux, platform: "linux" })).rejects.toThrow("EPERM");
  const full = heldFor(1, "ENOSPC");
  expect(() => replaceFileSync("a", "b", { ...full, platform: "win32" })).toThrow("ENOSPC");
  expect([linux.made.length, full.made.length]).toEqual([1, 1]);
});

test("the waits grow, and end with the limit", () => {
  const delays: number[] = [];
  let waited = 0;
  for (;;) {
    const delay = retryDelay(failure("EPERM"), waited, { limit: 500, platform: "win32" });
    if (delay === undefined) break;
    delays.push(delay);
    waited += delay;
  }
  expect(delays).toEqual([1, 1, 2, 4, 8, 16, 32, 64, 100, 100, 100, 72]);
  expect(waited).toBe(500);
});
