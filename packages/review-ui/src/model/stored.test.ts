import { expect, test, vi } from "vitest";
import type { PageMessage } from "./api.ts";
import type { Ask } from "./connection.ts";
import { createRecoveredEditsStore } from "./stored.ts";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} });

test("a text that only this page has is sent with each list until the companion has it, and in reach meanwhile", async () => {
  const sent: PageMessage[] = [];
  let isFull = true;
  const ask = async (message: PageMessage) => {
    sent.push(message);
    if (isFull) throw new Error("the disk is full");
  };
  const troubles: unknown[] = [];
  const store = createRecoveredEditsStore(ask as Ask, (error, { text }) => troubles.push([error, text]));
  const known = { agent: "Gemini CLI", filePath: "/shop/a.txt", reason: "companion-restarted" };
  await store.keep({ ...known, proposed: "A\n", text: "mine\n", openedAt: 0 });
  expect(troubles).toEqual([[new Error("the disk is full"), "mine\n"]]);
  isFull = false;
  store.received([]);
  expect(sent).toEqual(Array(2).fill(expect.objectContaining({ type: "keep-edits", text: "mine\n" })));
  await Promise.resolve();
  const stored = { ...known, id: "1", at: 0, label: "a.txt", outsideRoots: false };
  store.received([stored]);
  expect(sent).toHaveLength(2);
  expect(store.news.value).toEqual([stored]);
  store.dismiss();
  expect([store.list.value, store.news.value]).toEqual([[stored], []]);
});
