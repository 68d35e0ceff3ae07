import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { readFileText, readStamp } from "../../files/file-text.ts";
import { createFileWatch } from "./file-watch.ts";

function watchOf(interval = 5) {
  const sent: { path: string; stamp: string | undefined; owners: readonly object[] }[] = [];
  const watch = createFileWatch({
    interval,
    onChange: (path, stamp, owners) => sent.push({ path, stamp, owners }),
  });
  return { watch, sent };
}

test("a change, a removal and a return reach those who watch", async () => {
  const path = join(privateFolder(), "a");
  writeFileSync(path, "one");
  const { watch, sent } = watchOf();
  const page = {};
  watch.noteText(path, await readFileText(path));
  watch.watch(page, [path]);
  writeFileSync(path, "three");
  await eventually(async () =>
    expect(sent.at(-1)).toEqual({ path, stamp: await readStamp(path), owners: [page] }),
  );
  rmSync(path);
  await eventually(() => expect(sent.at(-1)?.stamp).toBeUndefined());
  writeFileSync(path, "back");
  await eventually(() => expect(sent.at(-1)?.stamp).toBeDefined());
  expect(sent).toHaveLength(3);
});

test("a change between reading a file and watching it is reported", async () => {
  const path = join(privateFolder(), "a");
  writeFileSync(path, "one");
  const { watch, sent } = watchOf();
  watch.noteText(path, await readFileText(path));
  writeFileSync(path, "three");
  watch.watch({}, [path]);
  await eventually(() => expect(sent).toHaveLength(1));
});

test("who reads a changed file first does not take the news from the others", async () => {
  const path = join(privateFolder(), "a");
  writeFileSync(path, "one");
  const { watch, sent } = watchOf(60_000);
  watch.noteText(path, await readFileText(path));
  watch.watch({}, [path]);
  writeFileSync(path, "three");
  watch.noteText(path, await readFileText(path));
  expect(sent).toHaveLength(1);
});

test("nothing is looked at while no page is open, and nothing is sent to one that has gone", async () => {
  const looks = vi.fn(async () => "1");
  const watch = createFileWatch({ interval: 1, stampOf: looks, onChange: () => {} });
  const page = {};
  watch.watch(page, ["/a"]);
  await eventually(() => expect(looks).toHaveBeenCalled());
  watch.forget(page);
  const count = looks.mock.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(looks.mock.calls.length).toBeLessThanOrEqual(count + 1);
});

test("watching ever other files does not put off the look", async () => {
  const looked = new Set<string>();
  const stampOf = async (path: string) => {
    looked.add(path);
    return "1";
  };
  const watch = createFileWatch({ interval: 20, stampOf, onChange: () => {} });
  const page = {};
  const typing = setInterval(() => watch.watch(page, ["/a"]), 2);
  onTestFinished(() => clearInterval(typing));
  await eventually(() => expect(looked.has("/a")).toBe(true));
});
