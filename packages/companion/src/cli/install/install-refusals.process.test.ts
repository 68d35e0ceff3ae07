import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox, useExecutable } from "../process-fixture.ts";
import { call, createMachine, look } from "./install-fixture.ts";

useExecutable();

test("an editor that is not known is named with those that are", async () => {
  const { code, text } = await call(createMachine(), "install", "neovi");
  expect(code).toBe(2);
  expect(text).toMatch(/^error: neovi cannot be set up: known are neovim, vim, .*Did you mean neovim\?\n/);
});

describe("what cannot be done is said, and nothing is changed by", () => {
  const at = (sandbox: Sandbox, name: string) => path.join(sandbox.home, name);
  const kate = ".config/kate/lspclient/settings.json";

  test.each<
    [
      what: string,
      given: Record<string, string>,
      break_: (sandbox: Sandbox) => void,
      editor: string,
      message: string,
    ]
  >([
    [
      "a settings file that is broken",
      { [kate]: '{\n  "servers": {\n    "a": {}\n    "b": {}\n  }\n}\n' },
      () => {},
      "kate",
      `Kate: HOME/${kate} cannot be changed: it is broken at line 4, column 5: comma expected. Nothing was changed.`,
    ],
    [
      "a settings file that holds something else",
      { [kate]: '{ "servers": [] }' },
      () => {},
      "kate",
      `Kate: HOME/${kate} cannot be changed: its "servers" is no object. Nothing was changed.`,
    ],
    [
      "TOML that is broken",
      { ".config/helix/languages.toml": "[[language]\n" },
      () => {},
      "helix",
      "Helix: HOME/.config/helix/languages.toml cannot be changed: Invalid TOML document",
    ],
    [
      "a list of languages to which nothing can be added",
      { ".config/helix/languages.toml": 'language = [{ name = "rust" }]\n' },
      () => {},
      "helix",
      "Helix: HOME/.config/helix/languages.toml cannot be changed: Invalid TOML document",
    ],
    [
      "a file that is read-only",
      { ".config/kak/kakrc": "# mine\n" },
      (sandbox) => chmodSync(at(sandbox, ".config/kak/kakrc"), 0o444),
      "kakoune",
      "Kakoune: HOME/.config/kak/kakrc is read-only. Nothing was changed.",
    ],
    [
      "a folder that is read-only",
      { ".config/kak/other": "" },
      (sandbox) => chmodSync(at(sandbox, ".config/kak"), 0o555),
      "kakoune",
      "Kakoune: nothing can be written in HOME/.config/kak. Nothing was changed.",
    ],
    [
      "a link that leads nowhere",
      { ".config/kak/other": "" },
      (sandbox) => symlinkSync("gone", at(sandbox, ".config/kak/kakrc")),
      "kakoune",
      "Kakoune: HOME/.config/kak/kakrc is a link that leads nowhere. Nothing was changed.",
    ],
    [
      "a file in the place of a folder",
      { ".vim": "" },
      () => {},
      "vim",
      "Vim: HOME/.vim is no folder. Nothing was changed.",
    ],
    [
      "a plugin that somebody else has put there",
      { ".vim/pack/ide/start/ide-companion/plugin/x.vim": "" },
      () => {},
      "vim",
      "Vim: HOME/.vim/pack/ide/start/ide-companion is there already, and not by this command: take it away, and call this again. Nothing was changed.",
    ],
    [
      "half a block",
      { ".emacs": ";; ide-companion >>>\n" },
      () => {},
      "emacs",
      'Emacs: HOME/.emacs cannot be changed: it has only one of the lines ";; ide-companion >>>" and ";; ide-companion <<<". Nothing was changed.',
    ],
    [
      "a record that is damaged",
      { ".local/state/ide-companion/installed.json": "{" },
      () => {},
      "vim",
      "HOME/.local/state/ide-companion/installed.json, which says what was set up, is damaged",
    ],
  ])("%s", async (_, given, break_, editor, message) => {
    const sandbox = createMachine(given);
    break_(sandbox);
    const before = look(sandbox);
    // Another one next to it: all or none.
    const { code, text } = await call(sandbox, "install", "--yes", "neovim", editor);
    expect(text.replaceAll(sandbox.home, "HOME")).toContain(`error: ${message}`);
    expect(code).toBe(1);
    expect(look(sandbox)).toEqual(before);
  });

  test("a file that is not in UTF-8", async () => {
    const sandbox = createMachine();
    writeFileSync(at(sandbox, ".emacs"), Buffer.from("; gr\xfc\xdfe\n", "latin1"));
    const { text } = await call(sandbox, "install", "--yes", "emacs");
    expect(text).toBe(`error: Emacs: ${at(sandbox, ".emacs")} is not in UTF-8. Nothing was changed.\n`);
  });

  test("a command that editors would not find", async () => {
    const sandbox = createSandbox();
    Object.assign(sandbox.env, { PATH: path.dirname(process.execPath) });
    const { text } = await call(sandbox, "install", "--yes", "neovim");
    expect(text).toContain(
      "there is no ide-companion in your PATH, and editors start it by this name: npm install --global ide-companion",
    );
    expect(look(sandbox)).toEqual({});
  });
});
