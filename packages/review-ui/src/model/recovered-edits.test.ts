import { expect, test, vi } from "vitest";
import type { Api, PageMessage } from "./api.ts";
import type { Ask } from "./connection.ts";
import { createRecoveredEditsStore } from "./recovered-edits.ts";

const loose = {
  agent: "Gemini CLI",
  filePath: "/shop/a.txt",
  label: "a.txt",
  outsideRoots: false,
  reason: "companion-restarted",
};

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} });

test("a text that is looked at stays when the companion stores it under another id", async () => {
  const sent: PageMessage[] = [];
  const texts = { text: "mine\n", onDisk: { kind: "missing" } } as const;
  const api = { edits: vi.fn(async () => texts), file: vi.fn(async () => texts.onDisk) };
  const ask = async (message: PageMessage) => {
    sent.push(message);
    return { id: "1" };
  };
  const store = createRecoveredEditsStore(api as unknown as Api, ask as Ask, () => {});
  store.add({ ...loose, proposed: "A\n", text: "mine\n", openedAt: 0 });
  const inPage = store.list.value[0]?.id ?? "";
  await vi.waitFor(() => expect(sent).toMatchObject([{ type: "keep-edits", text: "mine\n" }]));

  store.dismiss(); // by looking at it
  expect(store.find(inPage)).toMatchObject(loose);
  store.editsReceived([{ ...loose, id: "1", at: 0 }]);
  expect(store.find(inPage)).toEqual({ ...loose, id: "1", at: 0 });
  expect([store.list.value.length, store.news.value.length]).toEqual([1, 0]);
  expect(await store.read(inPage)).toEqual({ text: "mine\n", onDisk: { kind: "missing" } });
  expect(api.edits).toHaveBeenCalledWith("1");
  expect(sent).toHaveLength(1);

  store.discard(inPage);
  expect(sent.at(-1)).toEqual({ type: "act", list: "edits", id: "1", action: "discard" });
  store.editsReceived([]);
  expect(store.find(inPage)).toBeUndefined();
});
