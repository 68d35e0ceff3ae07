import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";
import { describe, expect, test } from "vitest";
import { findLanguage } from "./syntax.ts";

const tokens = tagHighlighter([
  { tag: tags.comment, class: "comment" },
  { tag: tags.meta, class: "special" },
  { tag: tags.string, class: "string" },
  { tag: tags.keyword, class: "keyword" },
  { tag: tags.number, class: "number" },
  { tag: [tags.bool, tags.atom], class: "atom" },
  { tag: tags.typeName, class: "type" },
  { tag: tags.propertyName, class: "property" },
  { tag: tags.heading, class: "heading" },
  { tag: tags.tagName, class: "tag" },
]);

/** What is highlighted in a text, in order. */
async function highlight(fileName: string, text: string): Promise<string[]> {
  const support = await findLanguage(fileName)?.load();
  const found: string[] = [];
  if (!support) return found;
  highlightTree(support.language.parser.parse(text), tokens, (from, to, kind) => {
    found.push(`${kind} ${text.slice(from, to)}`);
  });
  return found;
}

describe("files are highlighted as what they are", () => {
  test.each([
    ["Makefile", "# all\nall: a.o $(OBJ)\n", ["comment # all"]],
    ["settings.jsonc", '// why\n{ "a": 1 }\n', ["comment // why", "number 1"]],
    ["tsconfig.json", "// why\n{}\n", ["comment // why"]],
    [".bashrc", "# why\nexport A='b'\n", ["comment # why", "string 'b'"]],
    [".env.local", "# why\nKEY=1\n", ["comment # why"]],
    [".gitignore", "# why\n!keep*\n", ["comment # why"]],
    ["page.mdx", "# Title\n", ["heading  Title"]],
    ["App.svelte", "<p>a</p>\n", ["tag p"]],
    ["index.astro", "<p>a</p>\n", ["tag p"]],
    [
      "schema.graphql",
      '"""\nwhy\n"""\ntype A { id: ID! }\n',
      ["string why", "keyword type", "tag A", "tag ID"],
    ],
    ["main.tf", '# why\nresource "a" "b" {\n  count = 2\n}\n', ["comment # why", 'string "a"', "number 2"]],
    ["a.ex", "@doc 1\ndef add(a), do: :ok\n", ["keyword def", "atom :ok"]],
    [
      "main.zig",
      '// why\nconst std = @import("std");\n',
      ["comment // why", "keyword const", "special @import"],
    ],
    ["flake.nix", "{ a = 1; }\n# why\n", ["number 1", "comment # why"]],
    ["Token.sol", "/* why\n */\nuint256 public x = 1;\n", ["comment */", "keyword public", "number 1"]],
    ["config.fish", "# why\nset -x A $B\n", ["comment # why"]],
    ["index.rst", "Title\n=====\n", ["heading Title\n"]],
    [
      "schema.prisma",
      "// why\nmodel User {\n  id Int @id\n}\n",
      ["comment // why", "type Int", "special @id"],
    ],
  ])("%s", async (fileName, text, expected) => {
    expect(await highlight(fileName, text)).toEqual(expect.arrayContaining(expected));
  });

  test("what has no language is plain text", () => {
    expect(findLanguage("notes.unknown")).toBeUndefined();
  });
});
