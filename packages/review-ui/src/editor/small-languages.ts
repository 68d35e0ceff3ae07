import { StreamLanguage } from "@codemirror/language";
import { type Rule, simpleMode } from "@codemirror/legacy-modes/mode/simple-mode";

const hash = "#.*";
const slashes = "//.*";

/** The syntaxes of languages for which CodeMirror has no grammar. Patterns are tried at each token. */
const definitions = {
  batch: {
    comment: "(?:rem\\b|::).*",
    keywords:
      "echo set if else for in do goto call exit not exist defined errorlevel setlocal endlocal shift pause cd copy del start",
    atoms: "on off nul",
    quotes: '"',
    special: "%~?\\w+%?|%%\\w|![\\w-]+!|:\\w+",
    ignoresCase: true,
  },
  elixir: {
    comment: hash,
    longQuote: '"""',
    keywords:
      "def defp defmodule defmacro defmacrop defstruct defprotocol defimpl defguard defdelegate do end if else unless case cond fn when with for in and or not import alias require use quote unquote try rescue catch after raise receive",
    atoms: "true false nil",
    special: "@\\w+|:[a-z_]\\w*[?!]?",
    types: "[A-Z]\\w*",
  },
  fish: {
    comment: hash,
    keywords:
      "function end if else switch case for in while set and or not begin return break continue test string alias source echo export command builtin",
    special: "\\$\\w+",
  },
  graphql: {
    comment: hash,
    longQuote: '"""',
    quotes: '"',
    keywords:
      "type input enum interface union scalar schema directive extend implements query mutation subscription fragment on repeatable",
    special: "[@$]\\w+",
    types: "[A-Z]\\w*",
    property: "([a-z_]\\w*)(?=\\s*[(:])",
  },
  ignore: { comment: hash, quotes: "", special: "[!*?[\\]]+" },
  makefile: {
    comment: hash,
    keywords: "include ifeq ifneq ifdef ifndef else endif define endef export unexport override vpath",
    special: "\\$[({][^)}]*[)}]|\\$\\$?[@<^+?*\\w]",
    property: "([\\w./%-]+)(?=\\s*(?:::?|[:+?!]?=))",
  },
  nix: {
    comment: hash,
    hasBlockComments: true,
    longQuote: "''",
    quotes: '"',
    keywords: "let in with rec inherit if then else assert or import",
    property: "([\\w.-]+)(?=\\s*=)",
  },
  prisma: {
    comment: slashes,
    keywords: "model enum datasource generator type view",
    quotes: '"',
    special: "@@?[\\w.]+",
    types: "[A-Z]\\w*",
    property: "(\\w+)(?=\\s*=)",
  },
  solidity: {
    comment: slashes,
    hasBlockComments: true,
    keywords:
      "pragma solidity import contract interface library abstract is using for function modifier constructor event error struct enum mapping returns return if else while do break continue public private internal external view pure payable constant immutable virtual override memory storage calldata emit revert require assert new delete unchecked assembly try catch receive fallback indexed anonymous",
    types: "(?:u?int\\d*|bytes\\d*|address|bool|string|[A-Z]\\w*)\\b",
  },
  terraform: {
    comment: "(?:#|//).*",
    hasBlockComments: true,
    quotes: '"',
    keywords:
      "resource data variable output module provider locals terraform for in if else endif endfor dynamic moved import check backend required_providers lifecycle provisioner",
    property: "([\\w-]+)(?=\\s*=)",
  },
  zig: {
    comment: "(?://|\\\\\\\\).*",
    keywords:
      "const var fn pub return if else while for switch break continue defer errdefer try catch orelse and or struct enum union error comptime inline extern export test unreachable async await suspend resume usingnamespace threadlocal packed align noalias",
    atoms: "true false null undefined",
    special: "@\\w+",
    types: "(?:[ui]\\d+|f\\d+|[ui]size|bool|void|type|anytype|anyerror|[A-Z]\\w*)\\b",
  },
} as const satisfies Readonly<Record<string, SmallLanguage>>;

export type SmallLanguageName = keyof typeof definitions;

interface SmallLanguage {
  /** A comment that ends with its line. */
  readonly comment: string;
  readonly hasBlockComments?: boolean;
  /** The quotes of strings within a line; both kinds by default. */
  readonly quotes?: string;
  /** The quote of strings over several lines. */
  readonly longQuote?: string;
  readonly keywords?: string;
  readonly atoms?: string;
  readonly types?: string;
  /** Attributes, variables and similar tokens. */
  readonly special?: string;
  /** A key at the beginning of a line, as a group. */
  readonly property?: string;
  readonly ignoresCase?: boolean;
}

export function createSmallLanguage(name: SmallLanguageName): StreamLanguage<unknown> {
  const language: SmallLanguage = definitions[name];
  const { longQuote = "", keywords, atoms = "true false null", quotes = `"'`, types, special } = language;
  const rule = (
    regex: string | undefined | false,
    token: Rule["token"],
    more?: Omit<Rule, "regex">,
  ): Rule[] => (regex ? [{ regex: new RegExp(regex, language.ignoresCase ? "i" : ""), token, ...more }] : []);
  const words = (list?: string) => list && `(?:${list.replaceAll(" ", "|")})(?![\\w-])`;
  const within = (token: string, end: string) => [
    ...rule(`.*?${end}`, token, { next: "start" }),
    ...rule(".+", token),
  ];
  const start = [
    ...rule(language.comment, "comment"),
    ...rule(language.hasBlockComments && "/\\*", "comment", { next: "comment" }),
    ...rule(longQuote, "string", { next: "string" }),
    ...rule(quotes && `([${quotes}])(?:\\\\.|(?!\\1).)*\\1?`, "string"),
    ...rule(special, "meta"),
    ...rule(language.property && `(\\s*)${language.property}`, ["", "propertyName"], { sol: true }),
    ...rule("0[xob][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d+)?", "number"),
    ...rule(words(keywords), "keyword"),
    ...rule(words(atoms), "atom"),
    ...rule(types, "typeName"),
    ...rule("[A-Za-z_][\\w-]*(?=\\()", () => "variableName.function"),
    ...rule("[A-Za-z_][\\w-]*|\\s+", null),
  ];
  const languageData = { name, commentTokens: {} };
  return StreamLanguage.define(
    simpleMode({
      start,
      comment: within("comment", "\\*/"),
      string: within("string", longQuote),
      languageData,
    }),
  );
}
