import fc from "fast-check";
import { expect, test } from "vitest";
import { createYielder } from "../system/yielder.ts";
import { EmbeddedJson, isLarge, toJsonBytes } from "./json-bytes.ts";

const bytesOf = async (value: unknown) => Buffer.concat(await toJsonBytes(value, createYielder())).toString();

/** Longer than what is encoded at once. */
const long = (text: string) => text.repeat(Math.ceil(300_000 / text.length));

test.each([
  ["ASCII", "const a = 'b';\n"],
  ["quotes and backslashes", '"\\"\\\\'],
  ["pairs of surrogates", "😀"],
  ["pairs at every place", "a😀"],
  ["halves of pairs", "\uD83D"],
  ["controls", "\u0000\u001f\u2028"],
])("a long text of %s comes out as JSON.stringify has it", async (_, unit) => {
  const value = { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: long(unit) }] } };
  expect(isLarge(value)).toBe(true);
  expect((await bytesOf(value)) === JSON.stringify(value)).toBe(true);
});

test("JSON within JSON comes out as JSON.stringify has it", async () => {
  for (const unit of ['say("it");\n', "日本語😀"]) {
    const embedded = new EmbeddedJson({ content: long(unit), isEdited: true });
    const value = {
      content: [{ type: "text", text: embedded }],
      rest: [null, undefined, 1],
      none: undefined,
    };
    const plain = { ...value, content: [{ type: "text", text: JSON.stringify(embedded.value) }] };
    expect((await bytesOf(value)) === JSON.stringify(plain)).toBe(true);
    expect(JSON.stringify(value) === JSON.stringify(plain)).toBe(true);
  }
});

test("whatever else is in the value comes out as well", async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (json) => {
      const value = { long: long("x"), rest: JSON.parse(json) };
      expect((await bytesOf(value)) === JSON.stringify(value)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test("a text of 64 MiB keeps nobody waiting for longer than a moment", async () => {
  const text = "const a = 'b';\n".repeat(4_400_000);
  let turns = 0;
  const yielder = createYielder();
  const yieldToEventLoop = () => {
    turns += 1;
    return yielder.yieldToEventLoop();
  };
  await toJsonBytes({ text: new EmbeddedJson({ content: text }) }, { ...yielder, yieldToEventLoop });
  expect(turns).toBeGreaterThan(5);
});
