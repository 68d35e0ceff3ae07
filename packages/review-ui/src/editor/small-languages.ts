import { StreamLanguage, type StringStream } from "@codemirror/language";

const words = (text: string) => text.split(" ");
const hash = /^#/;
const slashes = /^\/\//;
const capitalised = /^[A-Z]/;

const definitions = {
  batch: {
    lineComment: /^(?:rem\b|::)/i,
    keywords: words(
      "echo set if else for in do goto call exit not exist defined errorlevel setlocal endlocal shift pause cd copy del start",
    ),
    atoms: words("on off nul"),
    quotes: '"',
    special: /^(?:%~?\w+%?|%%\w|![\w-]+!|:\w+)/,
    ignoresCase: true,
  },
  elixir: {
    lineComment: hash,
    longQuote: '"""',
    keywords: words(
      "def defp defmodule defmacro defmacrop defstruct defprotocol defimpl defguard defdelegate do end if else unless case cond fn when with for in and or not import alias require use quote unquote try rescue catch after raise receive",
    ),
    atoms: words("true false nil"),
    quotes: `"'`,
    special: /^(?:@\w+|:[a-z_]\w*[?!]?)/,
    types: capitalised,
  },
  fish: {
    lineComment: hash,
    keywords: words(
      "function end if else switch case for in while set and or not begin return break continue test string alias source echo export command builtin",
    ),
    special: /^\$\w+/,
  },
  graphql: {
    lineComment: hash,
    longQuote: '"""',
    quotes: '"',
    keywords: words(
      "type input enum interface union scalar schema directive extend implements query mutation subscription fragment on repeatable",
    ),
    special: /^[@$]\w+/,
    types: capitalised,
    property: /^[a-z_]\w*(?=\s*[(:])/,
  },
  ignore: { lineComment: /^#/, keywords: [], quotes: "", special: /^[!*?[\]]+/ },
  makefile: {
    lineComment: hash,
    keywords: words("include ifeq ifneq ifdef ifndef else endif define endef export unexport override vpath"),
    special: /^(?:\$[({][^)}]*[)}]|\$\$?[@<^+?*\w])/,
    property: /^[\w./%-]+(?=\s*(?:::?|[:+?!]?=))/,
  },
  nix: {
    lineComment: hash,
    hasBlockComments: true,
    longQuote: "''",
    quotes: '"',
    keywords: words("let in with rec inherit if then else assert or import"),
    property: /^[\w.-]+(?=\s*=)/,
  },
  prisma: {
    lineComment: slashes,
    keywords: words("model enum datasource generator type view"),
    quotes: '"',
    special: /^@@?[\w.]+/,
    types: capitalised,
    property: /^\w+(?=\s*=)/,
  },
  solidity: {
    lineComment: slashes,
    hasBlockComments: true,
    keywords: words(
      "pragma solidity import contract interface library abstract is using for function modifier constructor event error struct enum mapping returns return if else while do break continue public private internal external view pure payable constant immutable virtual override memory storage calldata emit revert require assert new delete unchecked assembly try catch receive fallback indexed anonymous",
    ),
    types: /^(?:u?int\d*|bytes\d*|address|bool|string|[A-Z]\w*)$/,
  },
  terraform: {
    lineComment: /^(?:#|\/\/)/,
    hasBlockComments: true,
    quotes: '"',
    keywords: words(
      "resource data variable output module provider locals terraform for in if else endif endfor dynamic moved import check backend required_providers lifecycle provisioner",
    ),
    property: /^[\w-]+(?=\s*=)/,
  },
  zig: {
    lineComment: /^(?:\/\/|\\\\)/,
    keywords: words(
      "const var fn pub return if else while for switch break continue defer errdefer try catch orelse and or struct enum union error comptime inline extern export test unreachable async await suspend resume usingnamespace threadlocal packed align noalias",
    ),
    atoms: words("true false null undefined"),
    special: /^@\w+/,
    types: /^(?:[ui]\d+|f\d+|[ui]size|bool|void|type|anytype|anyerror|[A-Z]\w*)$/,
  },
} as const satisfies Readonly<Record<string, SmallLanguage>>;

export type SmallLanguageName = keyof typeof definitions;

export function createSmallLanguage(name: SmallLanguageName) {
  return defineSmallLanguage(name, definitions[name]);
}

/** The syntax of a language without a full grammar. */
export interface SmallLanguage {
  readonly keywords: readonly string[];
  readonly atoms?: readonly string[];
  /** The start of a comment that ends with its line; sticky. */
  readonly lineComment: RegExp;
  readonly hasBlockComments?: boolean;
  /** Quotes of strings within a line. */
  readonly quotes?: string;
  /** The quote of multi-line strings. */
  readonly longQuote?: string;
  /** Names of types. */
  readonly types?: RegExp;
  /** Attributes, variables and similar tokens; sticky. */
  readonly special?: RegExp;
  /** A key at the beginning of a line; sticky. */
  readonly property?: RegExp;
  readonly ignoresCase?: boolean;
}

/** The context of the next token. */
export interface State {
  within: "code" | "comment" | "string";
}

/** A highlighter of comments, strings, numbers, keywords and some names. */
function defineSmallLanguage(name: string, language: SmallLanguage): StreamLanguage<State> {
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
