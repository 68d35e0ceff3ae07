import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { checkedLanguages, quietLanguageOf } from "./quiet-languages.ts";

vi.mock("vscode", () => ({}));

const folder = join(import.meta.dirname, "../..");
const read = (path: string) => JSON.parse(readFileSync(join(folder, path), "utf8"));

test("each language that VS Code checks has one of ours, with its colours and brackets", () => {
  const { languages, grammars } = read("package.json").contributes;
  expect(languages.map(({ id }: { id: string }) => id)).toEqual(checkedLanguages.map(quietLanguageOf));
  for (const { configuration } of languages) expect(read(configuration).brackets).not.toEqual([]);
  for (const [index, { language, scopeName, path }] of grammars.entries()) {
    expect(language).toBe(languages[index].id);
    const scope = scopeName.replace(/\.ide-companion$/, "");
    expect(read(path)).toEqual({ scopeName, patterns: [{ include: scope }] });
  }
});
