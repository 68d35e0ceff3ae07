import fc from "fast-check";

/** Any code point that UTF-8 can carry; fast-check's own arbitrary makes a table of them all, which takes a second. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

/** Any of these, which stand in lines with blanks between. */
export const wordOf = (...lines: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...lines.flatMap((line) => line.split(" ")));
