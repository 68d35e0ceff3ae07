import { expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { landingOf } from "./languages.mjs";
import { sourceOf } from "./markdown.mjs";
import { sidebarOf } from "./sidebar.mjs";
import { editorsOf, worksWith } from "./works-with.mjs";

const editors =
  "| [VS Code](vscode.md), Theia | our extension |\n| any other | [the review page](../start/x.md) | x |\n";

test("a link that leads out of docs/ is known as a source, and others are not", () => {
  expect(sourceOf("../../editors/vim", "/r/docs/editors/vim.md", "/r/docs")).toBe("editors/vim");
  expect(sourceOf("../start/doctor.md#proxies", "/r/docs/editors/vim.md", "/r/docs")).toBeUndefined();
  expect(sourceOf("https://example.org", "/r/docs/editors/vim.md", "/r/docs")).toBeUndefined();
});

test("a page that a language lacks leads to the English one, and the language alone to its first page", () => {
  const link = (page) => ({ link: `/pt-BR/${page}` });
  const sidebars = { "pt-BR": [{ items: [link("start/first-review")] }, { items: [link("editors/")] }] };
  expect(landingOf("/pt-BR/", sidebars)).toBe("/pt-BR/start/first-review");
  expect(landingOf("/pt-BR/reference/commands.html#install", sidebars)).toBe("/reference/commands.html");
  for (const path of ["/pt-BR/editors/", "/pt-BR/start/first-review.html#a", "/editors/vim.html", "/"])
    expect(landingOf(path, sidebars)).toBeUndefined();
});

test("the sidebar has the parts of docs/README.md, and each editor's page", () => {
  const parts = sidebarOf(inRepository("docs"), { texts: {} });
  expect(parts.map(({ text }) => text)).toEqual(["Start", "Editors", "Reference", "Inside"]);
  expect(parts[0].items[0]).toEqual({ text: "First review", link: "/start/first-review" });
  expect(parts[1].items).toContainEqual({ text: "Kakoune", link: "/editors/kakoune" });
});

test("the matrix has the editors of the table, also the one for any other", () => {
  expect(editorsOf(editors)).toEqual([
    { name: "VS Code", link: "vscode.md" },
    { name: "the review page", link: "../start/x.md" },
  ]);
});

test("the matrix refuses an agent that it does not know, and an editor that the table lacks", () => {
  const all = ["VS Code", "Neovim", "Vim", "Emacs", "Kakoune", "Helix", "Kate", "the review page", "Zed"].map(
    (name) => ({
      name,
      link: "x.md",
    }),
  );
  const gemini = { name: "gemini", displayName: "Gemini CLI" };
  const page = worksWith([gemini], all);
  expect(page).toContain("| [Vim](x.md) | **diffs that you edit** |");
  expect(page).toContain("| [Zed](x.md) | diffs that you edit |");
  expect(() => worksWith([{ name: "new", displayName: "New CLI" }], all)).toThrow("does not know New CLI");
  expect(() => worksWith([gemini], all.slice(1))).toThrow("docs/editors has no VS Code");
});
