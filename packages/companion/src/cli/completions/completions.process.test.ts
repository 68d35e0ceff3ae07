import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, installExecutable, useExecutable } from "../process-fixture.ts";

useExecutable();

const has = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;

/** Runs a shell of the test's own, which finds the executable by its name. */
function runIn(shell: string, args: readonly string[], script: string) {
  const sandbox = createSandbox();
  installExecutable(sandbox);
  writeFileSync(path.join(sandbox.app, "my file.txt"), "");
  const { stdout, stderr } = spawnSync(shell, [...args, "-c", script], {
    encoding: "utf8",
    cwd: sandbox.app,
    env: sandbox.env,
  });
  return stdout
    .split(/[\t\n]/)
    .concat(stderr.split("\n"))
    .filter(Boolean);
}

describe.runIf(has("bash"))("completion in bash", () => {
  test.each([
    { words: ["st"], found: ["status"] },
    { words: ["run", "ge"], found: ["gemini"] },
    { words: ["diff", "my"], found: ["my file.txt"] },
    { words: ["diff", "--output", "my"], found: ["my file.txt"] },
    { words: ["run", "gemini", "--", "my"], found: ["my file.txt"] },
    { words: ["/us"], found: ["/usr"] },
  ])("$words leads to $found", ({ words, found }) => {
    const quoted = ["ide-companion", ...words].map((word) => `'${word}'`).join(" ");
    const call = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _ide_companion; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(runIn("bash", ["--norc"], `eval "$(ide-companion completions bash)"\n${call}`)).toEqual(found);
  });
});

describe.runIf(has("fish"))("completion in fish", () => {
  test.each([
    { line: "ide-companion st", found: "status" },
    { line: "ide-companion run ge", found: "gemini" },
    { line: "ide-companion --agent q", found: "qwen" },
    { line: "ide-companion run gemini -- /us", found: "/usr/" },
  ])("'$line' leads to $found", ({ line, found }) => {
    const script = `ide-companion completions fish | source\ncomplete -C '${line}'`;
    expect(runIn("fish", ["--no-config"], script)).toContain(found);
  });
});

describe.runIf(has("zsh"))("completion in zsh", () => {
  test.each([
    { words: ["status", "--j"], found: ["--json:print JSON"] },
    { words: ["run", "ge"], found: ["gemini"] },
    { words: ["diff", "my"], found: ["files"] },
    { words: ["/us"], found: ["files -/"] },
  ])("$words leads to $found", ({ words, found }) => {
    const typed = ["ide-companion", ...words].map((word) => `'${word}'`).join(" ");
    // What zsh's own functions receive, which work in its line editor alone.
    const stubs = "compdef() { }; _files() { print -r -- files $1 }; _describe() { print -rl -- $found }";
    const call = `words=(${typed}); CURRENT=${words.length + 1}; _ide-companion`;
    const script = `${stubs}\neval "$(ide-companion completions zsh)"\n${call}`;
    expect(runIn("zsh", ["-f"], script)).toEqual(found);
  });
});
