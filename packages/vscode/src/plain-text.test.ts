import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toMarkdown, toMessage } from "./plain-text.ts";

test("a file's name is no link in a message, and no second line", () => {
  expect(toMessage("[Accept](command:workbench.action.quit) is new\nAccepted")).toBe(
    "[Accept] (command:workbench.action.quit) is new\\nAccepted",
  );
  expect(toMessage("Größe [1] (b).ts")).toBe("Größe [1] (b).ts");
});

test("an agent's name is no Markdown in a tooltip", () => {
  expect(toMarkdown("![x](https://evil.example/a.png)")).toBe(
    "\\!\\[x\\]\\(https\\://evil\\.example/a\\.png\\)",
  );
  expect(toMarkdown("Gemini CLI 2")).toBe("Gemini CLI 2");
});

test("a repository's settings choose no program, and share nothing that the user keeps to themselves", () => {
  const { contributes, capabilities } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  const settings = Object.entries<{ scope?: string }>(contributes.configuration.properties);
  const commands = settings.filter(([name]) => name.endsWith(".command"));
  expect(commands.map(([name, { scope }]) => [name, scope])).toEqual([
    ["ideCompanion.gemini.command", "machine"],
    ["ideCompanion.qwen.command", "machine"],
  ]);
  expect(capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual([
    "ideCompanion.exclude",
    "ideCompanion.excludeGitIgnored",
  ]);
});
