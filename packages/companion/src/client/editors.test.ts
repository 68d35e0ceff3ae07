import { describe, expect, test } from "vitest";
import { lineageOf, parsePs } from "../system/processes/process-table.ts";
import { detectEditor } from "./editors.ts";

const detect = (env: Record<string, string>, ps = "", pid = 9) => {
  const found = detectEditor(env, lineageOf(parsePs(ps), pid));
  return found && `${found.ide.displayName}: ${found.sign}`;
};

describe("the editor of a terminal", () => {
  test.each([
    [{ NVIM: "/run/nvim.sock" }, "Neovim: NVIM is set"],
    [{ VIM_TERMINAL: "900" }, "Vim: VIM_TERMINAL is set"],
    [{ INSIDE_EMACS: "30.1,vterm" }, "Emacs: INSIDE_EMACS is set"],
    [{ KATE_PID: "7" }, "Kate: KATE_PID is set"],
    [{ kak_session: "work" }, "Kakoune: kak_session is set"],
    [{ TERM_PROGRAM: "vscode" }, "VS Code: TERM_PROGRAM=vscode"],
    [{ TERM_PROGRAM: "vscode", CURSOR_TRACE_ID: "x" }, "Cursor: CURSOR_TRACE_ID is set"],
    [{ ZED_SESSION_ID: "1" }, "Zed: ZED_SESSION_ID is set"],
  ])("is recognised by %j", (env, expected) => {
    expect(detect(env)).toBe(expected);
  });

  test.each([
    ["/opt/nvim/bin/nvim --embed", "Neovim"],
    ["/usr/bin/vim.nox notes", "Vim"],
    ["emacs --daemon", "Emacs"],
    ["/usr/bin/emacs-nox", "Emacs"],
    ["hx src", "Helix"],
    ["/usr/bin/kate -b", "Kate"],
    ["kak -s work", "Kakoune"],
    ["/usr/share/code/code --unity-launch", "VS Code"],
    ["/usr/share/code-insiders/code-insiders", "VS Code"],
    ["/Applications/Visual Studio Code.app/Contents/MacOS/Electron", "VS Code"],
    ["/usr/libexec/zed-editor", "Zed"],
    ["/opt/sublime_text/sublime_text", "Sublime Text"],
    ["/home/ada/.local/share/JetBrains/Toolbox/apps/goland/bin/goland", "GoLand"],
  ])("is the program above: %s", (command, name) => {
    expect(detect({}, `1 0 init\n7 1 ${command}\n8 7 bash\n9 8 node agent`)).toMatch(
      new RegExp(`^${name}: process 7 is `),
    );
  });

  test("is the nearest of several", () => {
    expect(detect({}, "1 0 init\n6 1 /usr/bin/code\n7 6 nvim\n8 7 bash\n9 8 node")).toContain("Neovim");
  });

  test("is none in a terminal, nor below the program that installs editors", () => {
    expect(detect({}, "1 0 init\n7 1 xterm\n8 7 bash\n9 8 node")).toBeUndefined();
    expect(
      detect({}, "1 0 init\n7 1 /opt/JetBrains/Toolbox/bin/jetbrains-toolbox\n9 7 node idea.js"),
    ).toBeUndefined();
  });

  test("is a product of JetBrains by its process, for their terminals are all called alike", () => {
    const env = { TERMINAL_EMULATOR: "JetBrains-JediTerm" };
    expect(detect(env, "1 0 init\n7 1 /opt/pycharm/bin/pycharm\n9 7 node")).toBe(
      "PyCharm: TERMINAL_EMULATOR=JetBrains-JediTerm",
    );
    expect(detect(env)).toBe("JetBrains IDE: TERMINAL_EMULATOR=JetBrains-JediTerm");
  });
});
