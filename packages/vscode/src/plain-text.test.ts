import { expect, test } from "vitest";
import { toMarkdown, toMessage } from "./plain-text.ts";

test("the name of a file makes no link and no second line in a message", () => {
  expect(toMessage("[Accept](command:workbench.action.quit) is new\nAccepted")).toBe(
    "[Accept] (command:workbench.action.quit) is new\\nAccepted",
  );
  expect(toMessage("Größe [1] (b).ts")).toBe("Größe [1] (b).ts");
});

test("the name of an agent makes no Markdown in a tooltip", () => {
  expect(toMarkdown("![x](https://evil.example/a.png)")).toBe(
    "\\!\\[x\\]\\(https\\://evil\\.example/a\\.png\\)",
  );
  expect(toMarkdown("Agent CLI 2")).toBe("Agent CLI 2");
});
