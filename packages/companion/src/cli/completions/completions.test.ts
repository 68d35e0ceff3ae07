import { expect, test } from "vitest";
import { commands } from "../commands.ts";
import { summaryOf } from "../invocation.ts";
import { complete } from "./completions-command.ts";

test.each([
  { words: ["st"], found: ["status", ":folders"] },
  { words: ["--no"], found: ["--no-open", "--no-agent-accept"] },
  { words: ["run", ""], found: ["--tmux", "--help", "gemini", "qwen", "claude", "codex", "copilot"] },
  { words: ["run", "ge"], found: ["gemini"] },
  { words: ["run", "gemini", "--", "my"], found: [":files"] },
  { words: ["run", "gemini", "--he"], found: [":files"] },
  { words: ["--agent", "q"], found: ["qwen"] },
  { words: ["--log-level", ""], found: ["quiet", "normal", "debug"] },
  { words: ["status", "--j"], found: ["--json"] },
  { words: ["completions", "z"], found: ["zsh"] },
  { words: ["edits", "d"], found: ["diff", "discard"] },
  { words: ["edits", "restore", ""], found: [] },
  { words: ["edits", "restore", "1f3a", "--f"], found: ["--force"] },
  { words: ["install", "--dry-run", "em"], found: ["emacs"] },
  { words: ["install", "emacs", ""], found: [] },
  { words: ["diff", "a", "b", "--w"], found: ["--write"] },
  { words: ["diff", "--output", "my"], found: [":files"] },
  { words: ["diff", "-o", "my"], found: [":files"] },
  { words: ["status", "--json", ""], found: [] },
  { words: ["/us"], found: [":folders"] },
])("$words leads to $found", ({ words, found }) => {
  expect(complete(commands, words).map((line) => line.split("\t")[0])).toEqual(found);
});

test("every command and option is offered with its meaning", () => {
  for (const { name, options, summary } of commands) {
    if (name !== "") expect(complete(commands, [name])).toContain(`${name}\t${summary}`);
    for (const option of options) {
      const typed = [...(name === "" ? [] : [name]), `--${option.name}`];
      expect(complete(commands, typed)).toContain(`--${option.name}\t${summaryOf(option)}`);
    }
  }
});
