/** A path made ready to be compared with many queries. */
export interface FuzzyPath {
  /** Lower case, composed, with `/` between its parts. */
  readonly text: string;
  /** The same before it was lowered: capitals begin words. */
  readonly cased: string;
  /** Where the last part begins. */
  readonly base: number;
}

export function toFuzzyQuery(query: string): string {
  return compose(query).toLowerCase().replace(/\s+/g, "");
}

export function toFuzzyPath(label: string): FuzzyPath {
  const cased = compose(label);
  const text = cased.toLowerCase();
  return { text, cased, base: text.lastIndexOf("/") + 1 };
}

/**
 * How well a path answers a query: in its name rather than in its folders, in one piece rather than scattered, at
 * the start of words, in short paths.
 * @returns undefined when the query's characters do not occur in this order; higher is better.
 */
export function fuzzyScore(query: string, path: FuzzyPath): number | undefined {
  // Most paths do not match at all.
  if (gapsIn(query, path.text, 0) === undefined) return undefined;
  const inName = matchScore(query, path, path.base);
  const score = inName === undefined ? matchScore(query, path, 0) : inName + nameBonus;
  return score === undefined ? undefined : score - path.text.length / 100;
}

/** In one piece at the very start or at the start of a word, the initials of words, one piece anywhere. */
const pieceScores = { start: 1200, word: 1000, initials: 900, anywhere: 800 };

const nameBonus = 500;

function matchScore(query: string, path: FuzzyPath, from: number): number | undefined {
  const { text } = path;
  const first = text.indexOf(query, from);
  if (first === from) {
    // The whole name, or all of it but its extension.
    const rest = text.slice(first + query.length);
    return pieceScores.start + (rest === "" ? 100 : rest.startsWith(".") ? 50 : 0);
  }
  for (let at = first; at >= 0; at = text.indexOf(query, at + 1)) {
    if (isWordStart(path, at)) return pieceScores.word;
  }
  if (areInitials(query, path, from)) return pieceScores.initials;
  if (first >= 0) return pieceScores.anywhere;
  const gaps = gapsIn(query, text, from);
  return gaps === undefined ? undefined : -gaps;
}

function areInitials(query: string, path: FuzzyPath, from: number): boolean {
  if (query.length < 2) return false;
  let found = 0;
  for (let at = from; at < path.text.length && found < query.length; at += 1) {
    if (path.text[at] === query[found] && isWordStart(path, at)) found += 1;
  }
  return found === query.length;
}

/** How many other characters are between those of the query; undefined where they are not there in this order. */
function gapsIn(query: string, text: string, from: number): number | undefined {
  let end = from;
  let gaps = 0;
  for (const character of query) {
    const found = text.indexOf(character, end);
    if (found < 0) return undefined;
    if (end > from) gaps += found - end;
    end = found + character.length;
  }
  return gaps;
}

function isWordStart({ text, cased }: FuzzyPath, at: number): boolean {
  if (at === 0 || "/._- ".includes(text[at - 1] ?? "")) return true;
  return cased[at] !== text[at] && cased[at - 1] === text[at - 1];
}

/** macOS gives decomposed names, Windows backslashes. */
function compose(text: string): string {
  return text.normalize("NFC").replaceAll("\\", "/");
}
