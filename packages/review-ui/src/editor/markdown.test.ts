import { expect, test } from "vitest";
import { renderMarkdown } from "./markdown.ts";

test("Markdown that is nested too deep for its parser is shown as the text that it is", () => {
  const text = "*a ".repeat(16_000) + "b*".repeat(16_000);
  expect(renderMarkdown(text, () => false)).toBe(text);
});
