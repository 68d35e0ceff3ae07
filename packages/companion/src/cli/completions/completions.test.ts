import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { commands } from "../commands.ts";
import { toBashScript, toFishScript, toZshScript } from "./completions-command.ts";

const shells = [
  { shell: "bash", script: toBashScript(commands) },
  { shell: "zsh", script: toZshScript(commands) },
  { shell: "fish", script: toFishScript(commands) },
];

const has = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;

describe.each(shells)("the script for $shell", ({ shell, script }) => {
  test.runIf(has(shell))("is one that the shell can read", () => {
    const file = path.join(privateFolder(), "script");
    writeFileSync(file, script);
    const { status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  test("knows every command and option", () => {
    for (const { name, options } of commands) {
      expect(script).toContain(name);
      for (const option of options) expect(script).toContain(option.name);
    }
  });
});

describe.runIf(has("bash"))("completion in bash", () => {
  const complete = (...words: string[]) => completeIn("/", ...words);
  const completeIn = (cwd: string, ...words: string[]) => {
    const quoted = ["ide-companion", ...words].map((word) => `'${word}'`).join(" ");
    const call = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _ide_companion; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync("bash", ["--norc", "-c", `${toBashScript(commands)}\n${call}`], {
      encoding: "utf8",
      cwd,
    });
    return stdout.split("\n").filter((word) => word !== "");
  };

  test.each([
    { words: ["st"], found: ["status"] },
    { words: ["--no"], found: ["--no-open", "--no-agent-accept"] },
    { words: ["run", ""], found: ["--help", "gemini", "qwen", "claude", "codex", "copilot"] },
    { words: ["run", "ge"], found: ["gemini"] },
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
    { words: ["status", "--json", ""], found: [] },
  ])("$words leads to $found", ({ words, found }) => {
    expect(complete(...words)).toEqual(found);
  });

  test("offers a file whose name has a space in it as one word", () => {
    const folder = privateFolder();
    writeFileSync(path.join(folder, "my file.txt"), "");
    expect(completeIn(folder, "diff", "my")).toEqual(["my file.txt"]);
    expect(completeIn(folder, "diff", "--output", "my")).toEqual(["my file.txt"]);
  });

  test("offers files to the program that is started, and no option of ours", () => {
    const folder = privateFolder();
    writeFileSync(path.join(folder, "my file.txt"), "");
    expect(completeIn(folder, "run", "gemini", "--", "my")).toEqual(["my file.txt"]);
    expect(completeIn(folder, "run", "gemini", "--he")).toEqual([]);
  });

  test("offers folders where folders are meant", () => {
    expect(complete("/us")).toContain("/usr");
  });
});

describe.runIf(has("fish"))("completion in fish", () => {
  test.each([
    { line: "ide-companion st", found: "status" },
    { line: "ide-companion run ge", found: "gemini" },
    { line: "ide-companion --agent q", found: "qwen" },
    { line: "ide-companion run gemini -- /us", found: "/usr/" },
  ])("'$line' leads to $found", ({ line, found }) => {
    const { stdout } = spawnSync(
      "fish",
      ["--no-config", "-c", `${toFishScript(commands)}\ncomplete -C '${line}'`],
      {
        encoding: "utf8",
      },
    );
    expect(stdout.split(/[\t\n]/)).toContain(found);
  });
});
