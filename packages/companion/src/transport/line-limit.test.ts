import { expect, test } from "vitest";
import { createLineLimit } from "./line-limit.ts";

/** @returns what comes through, and how many lines were too long */
async function pass(pieces: readonly string[], limit?: number) {
  let refused = 0;
  const lines = createLineLimit(() => {
    refused += 1;
  }, limit);
  for (const piece of pieces) lines.write(piece);
  lines.end();
  return { text: Buffer.concat(await lines.toArray()).toString(), refused };
}

test("lines come through however they are cut, the last one without an end as well", async () => {
  expect(await pass(["o", "ne\ntwo\n\nth", "ree\nfour"])).toEqual({
    text: "one\ntwo\n\nthree\nfour",
    refused: 0,
  });
});

test("a line that is too long is dropped and reported once, and the next ones come through", async () => {
  const pieces = ["one\n", ..."too long a line".split(""), "\ntwo\nlong too, and last"];
  expect(await pass(pieces, 8)).toEqual({ text: "one\ntwo\n", refused: 2 });
});
