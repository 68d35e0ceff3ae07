import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { CancellationToken, Connection } from "vscode-languageserver";
import { z } from "zod";
import { createAsk } from "./notifier.ts";

/** An editor that answers as the test says, and remembers what it should forget. */
function ask(answer: Promise<unknown>) {
  const forgotten: string[] = [];
  const sendRequest = (method: string, _: object, token: CancellationToken) => {
    token.onCancellationRequested(() => forgotten.push(method));
    return answer;
  };
  // Of the library's many overloads one is called.
  const connection = { sendRequest } as unknown as Pick<Connection, "sendRequest">;
  return { forgotten, ask: createAsk(connection) };
}

const never = new Promise<never>(() => {});
const message = { method: "a", answer: z.object({ success: z.boolean() }) };

test("an answer that fits is given, and nothing is forgotten", async () => {
  const { ask: request, forgotten } = ask(Promise.resolve({ success: true }));
  expect(await request(message, {}, { limit: 5000 })).toEqual({ success: true });
  expect(forgotten).toEqual([]);
});

test("an answer that does not fit is an error", async () => {
  await expect(ask(Promise.resolve(null)).ask(message, {}, { limit: 5000 })).rejects.toThrow(/expected/);
});

test("an editor that never answers is given up, also when the garbage was collected meanwhile", async () => {
  const { ask: request, forgotten } = ask(never);
  const asked = request(message, {}, { limit: 300 });
  const given = expect(asked).rejects.toThrow("a was not answered within 0.3 s");
  const litter = setInterval(() => new Array(1e6).fill(0).map(() => ({})), 10);
  await Promise.race([given, delay(20_000, undefined, { ref: false })]).finally(() => clearInterval(litter));
  expect(forgotten).toEqual(["a"]);
});

test("what nobody wants any more is given up", async () => {
  const { ask: request, forgotten } = ask(never);
  const end = new AbortController();
  const asked = request(message, {}, { limit: 60_000, signal: end.signal });
  end.abort();
  await expect(asked).rejects.toThrow("a is no longer wanted");
  expect(forgotten).toEqual(["a"]);
});

test("an answer that came while this process stood still counts, however long that was", async () => {
  // From here on, timers that are due come before what is to be read.
  await new Promise((resolve) => setImmediate(resolve));
  const { ask: request } = ask(new Promise((resolve) => setImmediate(resolve, { success: true })));
  const asked = request(message, {}, { limit: 100 });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  expect(await asked).toEqual({ success: true });
});

test("an editor is not asked to forget what may still be answered", async () => {
  let give: (value: unknown) => void = () => {};
  const { ask: request, forgotten } = ask(
    new Promise((resolve) => {
      give = resolve;
    }),
  );
  const late: unknown[] = [];
  const onLate = (asked: Promise<unknown>) => void asked.then((value) => late.push(value));
  await expect(request(message, {}, { limit: 30, onLate })).rejects.toThrow("was not answered");
  give({ success: true });
  await vi.waitFor(() => expect(late).toEqual([{ success: true }]));
  expect(forgotten).toEqual([]);
});
