import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { commands } from "../commands.ts";
import { guessShell, parentName, shells } from "./env-command.ts";

/** What a path may hold, and shells are fond of. */
const odd = "it's $HOME \"q\" `id` \\ \\' %PATH% ; * ~ ‘curly’ é日\n next";

const has = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;

/** What a shell has in a variable after it has evaluated the lines. */
function evaluate(shell: string, lines: string): string {
  const script = `${lines}\n"${process.execPath}" -e 'process.stdout.write(String(process.env.VALUE))'`;
  const { stdout, stderr, status } = spawnSync(shell, ["-c", script], { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

describe("a variable", () => {
  for (const shell of ["sh", "bash", "dash", "zsh"]) {
    test.runIf(has(shell))(`arrives in ${shell} as it is, and leaves it again`, () => {
      const line = shells.sh.assign("VALUE", odd);
      expect(evaluate(shell, line)).toBe(odd);
      expect(evaluate(shell, `${line}\n${shells.sh.remove("VALUE")}`)).toBe("undefined");
    });
  }

  test.runIf(has("fish"))("arrives in fish as it is, and leaves it again", () => {
    const line = shells.fish.assign("VALUE", odd);
    expect(evaluate("fish", line)).toBe(odd);
    expect(evaluate("fish", `${line}\n${shells.fish.remove("VALUE")}`)).toBe("undefined");
  });

  test("is written for PowerShell, whose texts end at a typographic quotation mark as well", () => {
    expect(shells.powershell.assign("A", "it's ‘$x’ `")).toBe("$env:A = 'it''s ‘‘$x’’ `'");
    expect(shells.powershell.remove("A")).toBe("Remove-Item -ErrorAction Ignore Env:A");
  });

  test("is written for cmd, or refused", () => {
    expect(shells.cmd.assign("A", "C:\\my files & more;D:\\x")).toBe('set "A=C:\\my files & more;D:\\x"');
    expect(shells.cmd.remove("A")).toBe('set "A="');
    expect(() => shells.cmd.assign("A", 'a"b')).toThrow('A cannot be written for cmd: "a\\"b"');
  });
});

describe("the shell", () => {
  const guess = (env: Record<string, string>, parent = "", platform: NodeJS.Platform = "linux") =>
    Object.entries(shells).find(([, shell]) => shell === guessShell(platform, env, parent))?.[0];

  test("is the one that has started us, whatever the user's usual one is", () => {
    expect(guess({ SHELL: "/usr/bin/fish" }, "-bash")).toBe("sh");
    expect(guess({ SHELL: "/bin/bash" }, "fish")).toBe("fish");
    expect(guess({ SHELL: "/bin/bash" }, "pwsh")).toBe("powershell");
  });

  test("is the usual one when something else has started us", () => {
    expect(guess({ SHELL: "/usr/bin/fish" }, "make")).toBe("fish");
    expect(guess({ SHELL: "/bin/tcsh" }, "tcsh")).toBe("sh");
    expect(guess({})).toBe("sh");
  });

  test("is recognised on Windows by what cmd sets for its children", () => {
    expect(guess({ PROMPT: "$P$G" }, "", "win32")).toBe("cmd");
    expect(guess({}, "", "win32")).toBe("powershell");
    expect(guess({ SHELL: "C:\\Git\\usr\\bin\\bash.exe" }, "", "win32")).toBe("sh");
  });

  test.runIf(process.platform === "linux")("has a name that the system knows", async () => {
    expect(await parentName("linux", process.pid)).toBe(
      evaluate("sh", "VALUE=$(cat /proc/$PPID/comm); export VALUE").trim(),
    );
    expect(await parentName("linux", 2 ** 30)).toBe("");
  });

  test("can be named by every name that there is", () => {
    const option = commands.find(({ name }) => name === "env")?.options.find(({ name }) => name === "shell");
    expect(option?.choices).toEqual(Object.keys(shells));
  });
});
