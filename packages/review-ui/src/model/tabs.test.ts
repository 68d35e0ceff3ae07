import { expect, test } from "vitest";
import { createTabs } from "./tabs.ts";

const file = (path: string) => ({ kind: "file", subject: path }) as const;

test("opening a file twice shows its one tab", () => {
  const tabs = createTabs();
  tabs.open(file("/a"));
  tabs.open(file("/b"));
  tabs.open(file("/a"));
  expect(tabs.list.value.map(({ id }) => id)).toEqual(["file:/a", "file:/b"]);
  expect(tabs.active.value?.id).toBe("file:/a");
});

test("closing the tab in front shows another, closing one behind changes nothing", () => {
  const tabs = createTabs();
  for (const path of ["/a", "/b", "/c"]) tabs.open(file(path));
  tabs.close("file:/a");
  expect(tabs.active.value?.id).toBe("file:/c");
  tabs.close("file:/c");
  expect(tabs.active.value?.id).toBe("file:/b");
  tabs.close("file:/b");
  expect(tabs.active.value).toBeUndefined();
});

test("stepping goes around the end in both directions", () => {
  const tabs = createTabs();
  for (const path of ["/a", "/b"]) tabs.open(file(path));
  tabs.step(1);
  expect(tabs.active.value?.id).toBe("file:/a");
  tabs.step(-1);
  expect(tabs.active.value?.id).toBe("file:/b");
});
