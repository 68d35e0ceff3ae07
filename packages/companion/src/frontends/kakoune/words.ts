/** A word of Kakoune's command language that stands for this text, whatever it holds. Pure. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Reads the words that `echo -quoting kakoune` has written.
 * @returns undefined when the text breaks off within a word, as while it is being written
 */
export function parseWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  const word = /'((?:[^']|'')*)'(?: |$)/y;
  while (word.lastIndex < text.length) {
    const found = word.exec(text);
    if (!found) return undefined;
    words.push((found[1] ?? "").replaceAll("''", "'"));
  }
  return words;
}
