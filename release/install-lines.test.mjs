import { expect, test } from "vitest";
import { installLines, linesIn } from "./install-lines.mjs";

test("a line that installs is found in a block, in a fence and in a sentence, without its comment", () => {
  const page = [
    "Run `npm install --global one`, not `npm test`.",
    "",
    "    npx two run   # starts it",
    "    two --help",
    "",
    "```console",
    "$ brew install three",
    "```",
    "",
    "```lua",
    'npm("four")',
    "```",
  ];
  expect(linesIn(page.join("\n"))).toEqual(["brew install three", "npx two run", "npm install --global one"]);
});

test("the README and the pages of both packages have such lines", async () => {
  const files = new Set((await installLines()).map(({ file }) => file));
  expect([...files]).toEqual(
    expect.arrayContaining(["README.md", "packages/companion/README.md", "packages/conformance/README.md"]),
  );
  expect([...files].filter((file) => file.startsWith("docs/inside/"))).toEqual([]);
});
