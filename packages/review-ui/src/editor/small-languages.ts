import { defineSmallLanguage, type SmallLanguage } from "./small-language.ts";

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
