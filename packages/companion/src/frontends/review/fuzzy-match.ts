/** A query made ready to be compared with many paths. */
export interface FuzzyQuery {
  readonly text: string;
  readonly mask: number;
}

/** A path made ready to be compared with many queries. */
export interface FuzzyPath {
  /** Lower case, composed, with `/` between its parts. */
  readonly text: string;
  /** The same before it was lowered: capitals begin words. */
  readonly cased: string;
  /** Where the last part begins. */
  readonly base: number;
  /** The letters and digits that occur, for a quick no. */
  readonly mask: number;
}

export function toFuzzyQuery(query: string): FuzzyQuery {
  const text = compose(query).toLowerCase().replace(/\s+/g, "");
  return { text, mask: maskOf(text) };
}

export function toFuzzyPath(label: string): FuzzyPath {
  const cased = compose(label);
  const text = cased.toLowerCase();
  return { text, cased, base: text.lastIndexOf("/") + 1, mask: maskOf(text) };
}

/**
 * How well a path answers a query: in its name rather than in its folders, in one piece rather than scattered, at
 * the start of words, in short paths.
 * @returns undefined when the query's characters do not occur in this order; higher is better.
 */
export function fuzzyScore(query: FuzzyQuery, path: FuzzyPath): number | undefined {
  if ((path.mask & query.mask) !== query.mask) return undefined;
  const inName = matchScore(query.text, path, path.base);
  const score = inName === undefined ? matchScore(query.text, path, 0) : inName + nameBonus;
  return score === undefined ? undefined : score - path.text.length / 100;
}

/** In one piece at the very start or at the start of a word, the initials of words, one piece anywhere. */
const pieceScores = { start: 1200, word: 1000, initials: 900, anywhere: 800 };

const nameBonus = 500;

function matchScore(query: string, path: FuzzyPath, from: number): number | undefined {
  const { text } = path;
  const first = text.indexOf(query, from);
  if (first < 0)
    return areInitials(query, path, from) ? pieceScores.initials : scatteredScore(query, path, from);
  if (first === from) {
    // The whole name, or all of it but its extension.
    const rest = text.slice(first + query.length);
    return pieceScores.start + (rest === "" ? 100 : rest.startsWith(".") ? 50 : 0);
  }
  for (let at = first; at >= 0; at = text.indexOf(query, at + 1)) {
    if (isWordStart(path, at)) return pieceScores.word;
  }
  return areInitials(query, path, from) ? pieceScores.initials : pieceScores.anywhere;
}

function areInitials(query: string, path: FuzzyPath, from: number): boolean {
  if (query.length < 2) return false;
  let found = 0;
  for (let at = from; at < path.text.length && found < query.length; at += 1) {
    if (path.text[at] === query[found] && isWordStart(path, at)) found += 1;
  }
  return found === query.length;
}

/** Points for a character that follows the one before, that begins a word, and the loss for each one between. */
const points = { next: 16, wordStart: 12, gap: 1 };

/** The best of all ways to find the query's characters in this order. */
function scatteredScore(query: string, path: FuzzyPath, from: number): number | undefined {
  const { text } = path;
  if (!isSubsequence(query, text, from)) return undefined;
  const width = text.length - from;
  // scores[i]: the best with the character so far found exactly at i.
  let scores = new Float64Array(width).fill(Number.NEGATIVE_INFINITY);
  for (let found = 0; found < query.length; found += 1) {
    const next = new Float64Array(width).fill(Number.NEGATIVE_INFINITY);
    let reach = found === 0 ? 0 : Number.NEGATIVE_INFINITY;
    for (let at = 0; at < width; at += 1) {
      const before = at === 0 ? Number.NEGATIVE_INFINITY : (scores[at - 1] ?? 0);
      if (text[from + at] === query[found]) {
        next[at] =
          Math.max(reach, before + points.next) + (isWordStart(path, from + at) ? points.wordStart : 0);
      }
      if (found > 0) reach = Math.max(reach, before) - points.gap;
    }
    scores = next;
  }
  return scores.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
}

function isSubsequence(query: string, text: string, from: number): boolean {
  let at = from;
  for (const character of query) {
    const found = text.indexOf(character, at);
    if (found < 0) return false;
    at = found + character.length;
  }
  return true;
}

function isWordStart({ text, cased }: FuzzyPath, at: number): boolean {
  if (at === 0 || "/._- ".includes(text[at - 1] ?? "")) return true;
  return cased[at] !== text[at] && cased[at - 1] === text[at - 1];
}

/** macOS gives decomposed names, Windows backslashes. */
function compose(text: string): string {
  return text.normalize("NFC").replaceAll("\\", "/");
}

/** One bit for each letter and for each digit but 6 to 9, which share one. */
function maskOf(text: string): number {
  let mask = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 97 && code <= 122) mask |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) mask |= 1 << (26 + Math.min(code - 48, 5));
  }
  return mask;
}
