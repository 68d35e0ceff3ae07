import { StreamLanguage, type StringStream } from "@codemirror/language";

/** What makes a language that nobody has written a whole grammar for look like itself. */
export interface SmallLanguage {
  readonly keywords: readonly string[];
  readonly atoms?: readonly string[];
  /** What begins a comment that ends with the line; sticky. */
  readonly lineComment: RegExp;
  readonly hasBlockComments?: boolean;
  /** Quotes of strings that end with the line at the latest. */
  readonly quotes?: string;
  /** The quote of strings that go on over lines. */
  readonly longQuote?: string;
  /** Names of types. */
  readonly types?: RegExp;
  /** Attributes, variables and what else stands out of the text; sticky. */
  readonly special?: RegExp;
  /** A name at the beginning of a line that the line says something of; sticky. */
  readonly property?: RegExp;
  readonly ignoresCase?: boolean;
}

/** Within what the next token is. */
export interface State {
  within: "code" | "comment" | "string";
}

/** A highlighter of comments, strings, numbers, keywords and some names. */
export function defineSmallLanguage(name: string, language: SmallLanguage): StreamLanguage<State> {
  const { keywords, atoms = ["true", "false", "null"], ignoresCase = false } = language;
  const words = new Map<string, string>([
    ...keywords.map((word) => [word, "keyword"] as const),
    ...atoms.map((word) => [word, "atom"] as const),
  ]);
  return StreamLanguage.define<State>({
    name,
    startState: () => ({ within: "code" }),
    languageData: { commentTokens: {} },
    token: (stream, state) => {
      if (state.within === "comment") return readUntil(stream, state, "*/", "comment");
      if (state.within === "string") return readUntil(stream, state, language.longQuote ?? '"', "string");
      if (stream.eatSpace()) return null;
      return readMarked(stream, state, language) ?? readWord(stream, language, words, ignoresCase);
    },
  });
}

function readUntil(stream: StringStream, state: State, end: string, token: string): string {
  if (stream.skipTo(end)) {
    stream.match(end);
    state.within = "code";
  } else {
    stream.skipToEnd();
  }
  return token;
}

function readMarked(stream: StringStream, state: State, language: SmallLanguage): string | undefined {
  const { lineComment, hasBlockComments, longQuote, quotes = `"'`, special, property } = language;
  if (matches(stream, lineComment)) {
    stream.skipToEnd();
    return "comment";
  }
  if (hasBlockComments && stream.match("/*")) {
    state.within = "comment";
    return readUntil(stream, state, "*/", "comment");
  }
  if (longQuote !== undefined && stream.match(longQuote)) {
    state.within = "string";
    return readUntil(stream, state, longQuote, "string");
  }
  const quote = stream.peek();
  if (quote !== undefined && quotes.includes(quote)) return readString(stream, quote);
  if (special && matches(stream, special)) return "meta";
  const isFirst = stream.string.slice(0, stream.pos).trim() === "";
  if (isFirst && property && matches(stream, property)) return "propertyName";
  return undefined;
}

function matches(stream: StringStream, pattern: RegExp): boolean {
  return Boolean(stream.match(pattern));
}

function readString(stream: StringStream, quote: string): string {
  stream.next();
  for (let next = stream.next(); typeof next === "string" && next !== quote; next = stream.next()) {
    if (next === "\\") stream.next();
  }
  return "string";
}

function readWord(
  stream: StringStream,
  { types }: SmallLanguage,
  words: ReadonlyMap<string, string>,
  ignoresCase: boolean,
): string | null {
  if (matches(stream, /^(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d+)?)/i)) return "number";
  const start = stream.pos;
  if (!matches(stream, /^[A-Za-z_][\w-]*/)) {
    stream.next();
    return null;
  }
  const word = stream.string.slice(start, stream.pos);
  const known = words.get(ignoresCase ? word.toLowerCase() : word);
  if (known) return known;
  if (types?.test(word)) return "typeName";
  return stream.peek() === "(" ? "variableName.function" : null;
}
