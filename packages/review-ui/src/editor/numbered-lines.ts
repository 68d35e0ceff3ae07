/** A text whose every line is one number; equal lines of both texts are equal numbers. */
export interface NumberedLines {
  readonly numbers: Int32Array;
  /** Where a line begins in the text; the text's length for the line after the last. */
  offset(line: number): number;
}

/** Numbers the lines of two texts, each line with its line feed. */
export function numberLines(
  before: string,
  after: string,
): { readonly a: NumberedLines; readonly b: NumberedLines } {
  const known = new Map<string, number>();
  return { a: numberText(before, known), b: numberText(after, known) };
}

function numberText(text: string, known: Map<string, number>): NumberedLines {
  const starts: number[] = [];
  const numbers: number[] = [];
  let start = 0;
  while (start < text.length) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed + 1;
    const line = text.slice(start, end);
    let number = known.get(line);
    if (number === undefined) {
      number = known.size;
      known.set(line, number);
    }
    starts.push(start);
    numbers.push(number);
    start = end;
  }
  return { numbers: Int32Array.from(numbers), offset: (line) => starts[line] ?? text.length };
}
