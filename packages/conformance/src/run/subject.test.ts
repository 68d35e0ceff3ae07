import { expect, test } from "vitest";
import { createCleanup } from "./subject.ts";

test("an interruption during the cleanup waits until it is done", async () => {
  const cleanup = createCleanup();
  let finish = () => {};
  cleanup.later(() => new Promise<void>((resolve) => (finish = resolve)));
  const done: string[] = [];
  const closings = ["end of the run", "interruption"].map((who) =>
    cleanup.close().then(() => done.push(who)),
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toEqual([]);
  finish();
  await Promise.all(closings);
  expect(done).toEqual(["end of the run", "interruption"]);
});

test("a step of the cleanup that fails does not keep the others from running", async () => {
  const cleanup = createCleanup();
  const done: string[] = [];
  cleanup.later(async () => done.push("companions end"));
  cleanup.later(async () => {
    throw new Error("the folder cannot be removed");
  });
  await expect(cleanup.close()).rejects.toThrow("the folder cannot be removed");
  expect(done).toEqual(["companions end"]);
});
