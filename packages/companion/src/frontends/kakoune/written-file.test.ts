import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { expectFile } from "./written-file.ts";

/** Does one step after each look. @returns what `written` says, and how many looks it took */
async function look(steps: readonly ((path: string) => void)[], { text = "new\n" } = {}) {
  const path = join(privateFolder(), "poem.txt");
  writeFileSync(path, "old\n");
  let looks = 1;
  const wait = async () => {
    steps[looks - 1]?.(path);
    looks += 1;
  };
  const isWritten = await expectFile(path, wait).written(text, AbortSignal.timeout(60_000));
  return { isWritten, looks };
}

const nothing = () => {};
const empty = (path: string) => writeFileSync(path, "");
const write = (path: string) => writeFileSync(path, "new\n");

test("a file that its agent has emptied and not yet written is not loaded: Kakoune would ask about the rest", async () => {
  expect(await look([nothing, empty, nothing, write])).toEqual({ isWritten: true, looks: 5 });
  expect(await look([unlinkSync, nothing, write])).toEqual({ isWritten: true, looks: 4 });
});

test("a file is loaded when it holds another text than the accepted one, and stays so for a second", async () => {
  expect(await look([write], { text: "mine, which is not written\n" })).toEqual({
    isWritten: true,
    looks: 12,
  });
});

test("a file that nobody writes is not loaded", async () => {
  expect(await look([])).toEqual({ isWritten: false, looks: 151 });
});
