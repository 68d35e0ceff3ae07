import fc from "fast-check";

/** Half surrogates, which no text in UTF-8 can hold. */
const surrogates = { first: 0xd800, count: 0x800 };

/** Any character of Unicode. fast-check's own `binary` makes a table of them all, which takes a second. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - surrogates.count)
  .map((number) => String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count));
