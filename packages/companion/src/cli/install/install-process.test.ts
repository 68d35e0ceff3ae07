import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  createSandbox,
  executablePath,
  installExecutable,
  type Sandbox,
  start,
  useExecutable,
} from "../process-fixture.ts";

useExecutable();

/** A machine on which our command is in the PATH, with some files of the user's in its home. */
function createMachine(files: Readonly<Record<string, string>> = {}): Sandbox {
  const sandbox = createSandbox();
  installExecutable(sandbox);
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(sandbox.home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return sandbox;
}

async function call(sandbox: Sandbox, ...args: readonly string[]): Promise<{ code: unknown; text: string }> {
  const run = start(sandbox, args);
  const code = await run.end;
  return { code, text: run.text };
}

/** Every folder, link and byte of a home. */
function look({ home }: Sandbox): Readonly<Record<string, string>> {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  const pairs = entries.map((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    const mode = (lstatSync(file).mode & 0o7777).toString(8);
    if (entry.isSymbolicLink()) return [file, `link to ${readlinkSync(file)}`];
    return [file, `${mode} ${entry.isFile() ? readFileSync(file, "latin1") : "folder"}`];
  });
  return Object.fromEntries(pairs.toSorted());
}

/** A program of the user's. */
function addProgram({ bin }: Sandbox, name: string, code: string): void {
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${code}\n`, { mode: 0o755 });
}

const all = ["neovim", "vim", "emacs", "helix", "kate", "kakoune", "gemini", "qwen", "claude"];

/** As people have them: line ends of all kinds, comments, no last newline. */
const files = {
  ".emacs": "(setq a 1)\r\n(setq b 2)",
  ".config/kak/kakrc": "# mine\n",
  ".config/helix/languages.toml":
    '# mine\r\n[[language]]\r\nname = "rust"\r\nlanguage-servers = [{ name = "ra", except-features = ["format"] }]\r\n',
  ".config/kate/lspclient/settings.json": '\uFEFF{\n\t"servers": {\n\t\t// mine\n\t\t"lua": {}\n\t}\n}',
  ".gemini/settings.json": '{ "ui": { "theme": "x" }, /* why */ "ide": { "enabled": false } }\n',
  ".claude.json": '{\n  "numStartups": 5,\n  "autoConnectIde": false,\n  "projects": { "/x": {} }\n}',
  ".vim/vimrc": "set nu\n",
};

describe("install", () => {
  test.each([
    ["an empty home", {}],
    ["a home full of files", files],
  ])("changes nothing the second time, and uninstall leaves %s as it was", async (_, given) => {
    const sandbox = createMachine(given);
    const before = look(sandbox);
    expect(await call(sandbox, "install", "--yes", ...all)).toMatchObject({ code: 0 });
    const installed = look(sandbox);
    expect(installed).not.toEqual(before);
    const second = await call(sandbox, "install", "--yes", ...all);
    expect(second.text.split("\n").filter((line) => line.endsWith("is set up already."))).toHaveLength(9);
    expect(look(sandbox)).toEqual(installed);
    expect(await call(sandbox, "uninstall", "--yes")).toMatchObject({ code: 0 });
    expect(look(sandbox)).toEqual(before);
  });

  test("reverts one after the other", async () => {
    const sandbox = createMachine(files);
    const before = look(sandbox);
    await call(sandbox, "install", "--yes", ...all);
    for (const name of all)
      expect(await call(sandbox, "uninstall", "--yes", name)).toMatchObject({ code: 0 });
    expect(look(sandbox)).toEqual(before);
    expect((await call(sandbox, "uninstall", "vim")).text).toBe("This command has not set up Vim here.\n");
  }, 120_000);

  test("shows what it would change, and changes nothing until it is asked to", async () => {
    const sandbox = createMachine(files);
    const before = look(sandbox);
    const shown = await call(sandbox, "install", "--dry-run", "emacs");
    expect(shown.code).toBe(0);
    expect(shown.text).toContain(
      "  ~ ~/.emacs\n      (setq a 1)\n    - (setq b 2)\n      \\ no newline at the end\n    + (setq b 2)\n",
    );
    expect(shown.text).toContain("    + (when (require 'ide-companion nil t)\n");
    const asked = await call(sandbox, "install", "emacs");
    expect(asked.code).toBe(1);
    expect(asked.text).toContain("Nothing was changed: where nobody can be asked, say --yes.");
    expect(look(sandbox)).toEqual(before);
  });

  test("keeps what the user has changed since, and takes out its own alone", async () => {
    const sandbox = createMachine(files);
    await call(sandbox, "install", "--yes", "emacs", "gemini", "helix", "kakoune");
    const at = (name: string) => path.join(sandbox.home, name);
    writeFileSync(at(".emacs"), `${readFileSync(at(".emacs"), "utf8")}(setq c 3)\r\n`);
    const settings = readFileSync(at(".gemini/settings.json"), "utf8");
    writeFileSync(at(".gemini/settings.json"), settings.replace('"x"', '"y"'));
    const plugin = at(".local/share/ide-companion/kakoune/ide-companion.kak");
    writeFileSync(plugin, "# mine now\n");
    const run = await call(sandbox, "uninstall", "--yes");
    expect(run.text).toContain(`${path.dirname(plugin)} stays: it has been changed since`);
    expect(readFileSync(at(".emacs"), "utf8")).toBe("(setq a 1)\r\n(setq b 2)\r\n(setq c 3)\r\n");
    expect(readFileSync(at(".gemini/settings.json"), "utf8")).toBe(
      '{ "ui": { "theme": "y" }, /* why */ "ide": { "enabled": false } }\n',
    );
    expect(readFileSync(at(".config/helix/languages.toml"), "utf8")).toBe(
      files[".config/helix/languages.toml"],
    );
    expect(readFileSync(plugin, "utf8")).toBe("# mine now\n");
  });

  test("copies none of a user's secrets to undo its change, also when an agent has written to the file since", async () => {
    const file = '{"first":"secret-1","autoConnectIde":false,"numStartups":5,"last":"secret-2"}';
    const sandbox = createMachine({ ".claude.json": file });
    const config = path.join(sandbox.home, ".claude.json");
    const record = path.join(sandbox.home, ".local/state/ide-companion/installed.json");
    await call(sandbox, "install", "--yes", "claude");
    expect(readFileSync(record, "utf8")).not.toContain("secret");
    const installed = readFileSync(config, "utf8");
    expect(installed).toContain('"autoConnectIde":true');
    writeFileSync(config, installed.replace('"numStartups":5', '"numStartups":6'));
    await call(sandbox, "uninstall", "--yes");
    expect(readFileSync(config, "utf8")).toBe(file.replace('"numStartups":5', '"numStartups":6'));
  });

  test("writes through a link, as those have who keep their dotfiles in a repository", async () => {
    const sandbox = createMachine({ "dotfiles/kakrc": "# mine\n", ".config/kak/other": "" });
    const kakrc = path.join(sandbox.home, ".config/kak/kakrc");
    symlinkSync("../../dotfiles/kakrc", kakrc);
    const before = look(sandbox);
    await call(sandbox, "install", "--yes", "kakoune");
    expect(lstatSync(kakrc).isSymbolicLink()).toBe(true);
    expect(readFileSync(path.join(sandbox.home, "dotfiles/kakrc"), "utf8")).toContain("ide-companion-enable");
    await call(sandbox, "uninstall", "--yes");
    expect(look(sandbox)).toEqual(before);
  });

  test.each([
    ["emacs", ".emacs.d/init.el", "(require 'ide-companion)\n"],
    ["kakoune", ".config/kak/kakrc", 'source "~/ide-companion/editors/kakoune/ide-companion.kak"\n'],
    ["helix", ".config/helix/languages.toml", '[language-server.ide-companion]\ncommand = "ide-companion"\n'],
    [
      "kate",
      ".config/kate/lspclient/settings.json",
      '{ "servers": { "zz": { "command": ["ide-companion", "lsp"] } } }',
    ],
  ])("leaves %s alone when it was set up by hand", async (name, file, text) => {
    const sandbox = createMachine({ [file]: text });
    const before = look(sandbox);
    expect((await call(sandbox, "install", "--yes", name)).text).toMatch(/ is set up already\.\n$/);
    expect(look(sandbox)).toEqual(before);
  });

  test("brings the plugins up to date", async () => {
    const sandbox = createMachine();
    await call(sandbox, "install", "--yes", "vim");
    const record = path.join(sandbox.home, ".local/state/ide-companion/installed.json");
    const plugin = path.join(sandbox.home, ".vim/pack/ide/start/ide-companion");
    const present = look(sandbox);
    // As an older version of it would have left it.
    const file = path.join(plugin, "doc/ide-companion.txt");
    writeFileSync(file, "older");
    const { hashFolder } = await import("./folder.ts");
    const hash = JSON.parse(readFileSync(record, "utf8")).done.vim[0].hash;
    writeFileSync(record, readFileSync(record, "utf8").replace(hash, hashFolder(plugin) ?? ""));
    expect((await call(sandbox, "install", "--yes", "vim")).text).toContain("✓ Vim is set up.");
    expect(look(sandbox)).toEqual(present);
  });

  test("adds its server to every language that Helix knows, also where no other server is installed", async () => {
    const sandbox = createMachine(files);
    addProgram(
      sandbox,
      "hx",
      `case "$*" in
"--health") printf 'Language   Language … Debug\\nadl        None       None\\njavascript ✘ types…   None\\npython     ✓ ruff     None\\nrust       ✘ rust-…   None\\n' ;;
"--health adl") printf 'Configured language servers: None\\n' ;;
"--health javascript") printf 'Configured language servers:\\n  ✘ typescript-language-server: not found\\nConfigured\\n' ;;
"--health python") printf 'Configured language servers:\\n  ✓ ruff: /bin/ruff\\n  ✘ pylsp: not found\\nConfigured\\n' ;;
"--health rust") printf 'Configured language servers:\\n  ✘ ra: not found\\nConfigured\\n' ;;
esac`,
    );
    const { text: said } = await call(sandbox, "install", "--yes", "helix");
    expect(said).toContain("It serves the 5 languages that Helix knows here.");
    const text = readFileSync(path.join(sandbox.home, ".config/helix/languages.toml"), "utf8");
    expect(text.replaceAll("\r\n", "\n")).toContain(`[[language]]
name = "text"
scope = "text.plain"
file-types = [ "txt", { glob = "README" }, { glob = "LICENSE" }, { glob = "NOTICE" }, { glob = "COPYING" }, { glob = "AUTHORS" }, { glob = "CHANGELOG" }, { glob = "TODO" } ]
language-servers = [ "ide-companion" ]

[[language]]
name = "adl"
language-servers = [ "ide-companion" ]

[[language]]
name = "javascript"
language-servers = [ "typescript-language-server", "ide-companion" ]

[[language]]
name = "python"
language-servers = [ "ruff", "pylsp", "ide-companion" ]

[[language]]
name = "rust"
language-servers = [ { name = "ra", except-features = [ "format" ] }, "ide-companion" ]
`);
  });

  test("loads the plugin of Neovim also where lazy.nvim lies somewhere else, which forgets Neovim's own packages", async () => {
    const sandbox = createMachine();
    const { text } = await call(sandbox, "install", "--yes", "neovim");
    expect(text).toContain("~/.local/share/nvim/site/plugin/load-ide-companion.lua, a new file");
  });

  test("tells Kakoune's user what the documentation does, which is not in the package", async () => {
    const { text } = await call(createMachine(), "install", "--yes", "kakoune");
    expect(text).toContain("  set-option global autoreload yes\n");
    expect(text).toContain("  map global user i ':enter-user-mode ide-companion<ret>'\n");
    expect(text).not.toContain("docs/");
  });

  test("goes where the user's variables lead", async () => {
    const sandbox = createMachine();
    Object.assign(sandbox.env, {
      XDG_CONFIG_HOME: path.join(sandbox.home, "c"),
      XDG_DATA_HOME: path.join(sandbox.home, "d"),
      XDG_STATE_HOME: path.join(sandbox.home, "s"),
      NVIM_APPNAME: "mine",
    });
    await call(sandbox, "install", "--yes", ...all);
    const made = readdirSync(sandbox.home).toSorted();
    expect(made).toEqual([".claude.json", ".emacs.d", ".gemini", ".qwen", ".vim", "c", "d", "s"]);
    expect(existsSync(path.join(sandbox.home, "d/mine/site/pack/ide/start/ide-companion"))).toBe(true);
    await call(sandbox, "uninstall", "--yes");
    expect(readdirSync(sandbox.home)).toEqual([]);
  });

  test("offers the editors that are found, and no agent's settings, where all is to be done", async () => {
    const sandbox = createMachine();
    Object.assign(sandbox.env, { PATH: `${sandbox.bin}:${path.dirname(process.execPath)}` });
    addProgram(sandbox, "kak", "");
    addProgram(sandbox, "gemini", "");
    const { text } = await call(sandbox, "install", "--yes");
    expect(text).toContain("✓ Kakoune is set up.");
    expect(text).toContain(
      "! IDE mode is off in Gemini CLI.\n  ide-companion install gemini switches it on.\n",
    );
    expect(readdirSync(sandbox.home)).not.toContain(".gemini");
  });
});

describe("an extension", () => {
  /** VS Code's command-line tool, as far as it matters here: it keeps a list in a file. */
  const tool = `list="$HOME/extensions"
case "$1" in
--list-extensions) cat "$list" 2>/dev/null || true ;;
--install-extension) [ ! -s "$2" ] && echo "$2 is empty" >&2 && exit 3
  echo ide-companion.ide-companion-vscode@0.1.0 > "$list" ;;
--uninstall-extension) rm "$list" ;;
esac`;

  /** As \`npm run package\` puts it there. */
  function addPackage(content: string): string {
    const folder = path.join(path.dirname(executablePath()), "editors", "vscode");
    mkdirSync(folder, { recursive: true });
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, "ide-companion-0.1.0.vsix");
    writeFileSync(file, content);
    return file;
  }

  test("goes into the editor and out of it by the editor's own tool", async () => {
    const sandbox = createMachine();
    addProgram(sandbox, "codium", tool);
    const file = addPackage("content");
    const installed = await call(sandbox, "install", "--yes", "vscodium");
    expect(installed.text).toContain(`+ ${sandbox.bin}/codium --install-extension ${file}`);
    expect(readdirSync(sandbox.home).toSorted()).toEqual([".local", "extensions"]);
    expect((await call(sandbox, "install", "vscodium")).text).toBe("VSCodium is set up already.\n");
    expect(await call(sandbox, "uninstall", "--yes")).toMatchObject({ code: 0 });
    expect(readdirSync(sandbox.home)).toEqual([]);
  });

  test("that cannot be installed reverts what was done before", async () => {
    const sandbox = createMachine(files);
    addProgram(sandbox, "codium", tool);
    const file = addPackage("");
    const before = look(sandbox);
    const { code, text } = await call(sandbox, "install", "--yes", ...all, "vscodium");
    expect(code).toBe(1);
    expect(text).toContain(
      `error: ${sandbox.bin}/codium --install-extension ${file} --force ended with 3: ${file} is empty. Everything is as it was.`,
    );
    expect(look(sandbox)).toEqual(before);
  });

  /** Somebody adds a line to a file of the user's while the editor's tool runs. */
  const changing = (file: string) =>
    `${tool}\n[ "$1" = --list-extensions ] || echo '// added' >> "$HOME/${file}"`;
  const settings = ".gemini/settings.json";
  const added = `${files[settings]}// added\n`;

  test("does not cost what was written to a settings file after its change was shown", async () => {
    const sandbox = createMachine(files);
    addProgram(sandbox, "codium", changing(settings));
    addPackage("content");
    const { code, text } = await call(sandbox, "install", "--yes", "vscodium", "gemini");
    expect(code).toBe(1);
    expect(text).toContain(
      `error: ${sandbox.home}/${settings} has changed in the meantime: run this again. Everything is as it was.`,
    );
    // Both calls of the tool have added a line, and nothing has taken one away.
    expect(readFileSync(path.join(sandbox.home, settings), "utf8")).toBe(`${added}// added\n`);
    expect(existsSync(path.join(sandbox.home, "extensions"))).toBe(false);
  });

  test("that fails does not put a settings file back that was changed meanwhile, and says so", async () => {
    const sandbox = createMachine(files);
    addProgram(
      sandbox,
      "codium",
      `[ "$1" = --list-extensions ] || echo '// added' >> "$HOME/${settings}"\n${tool}`,
    );
    addPackage("");
    const { code, text } = await call(sandbox, "install", "--yes", "gemini", "vscodium");
    expect(code).toBe(1);
    expect(text).toContain(
      `All else is as it was. ${sandbox.home}/${settings} stays: it has changed in the meantime.`,
    );
    expect(readFileSync(path.join(sandbox.home, settings), "utf8")).toMatch(
      /"enabled": true[\s\S]*\/\/ added\n$/,
    );
  });

  test("is not taken out with a settings file that was changed after the removal was shown", async () => {
    const sandbox = createMachine(files);
    addProgram(sandbox, "codium", tool);
    addPackage("content");
    await call(sandbox, "install", "--yes", "gemini", "vscodium");
    addProgram(sandbox, "codium", changing(settings));
    const { code, text } = await call(sandbox, "uninstall", "--yes", "vscodium", "gemini");
    expect(code).toBe(1);
    expect(text).toContain("has changed in the meantime: run this again.");
    expect(readFileSync(path.join(sandbox.home, settings), "utf8")).toMatch(
      /"enabled": true[\s\S]*\/\/ added\n$/,
    );
  });

  test("is missing in a program that was built without it, and says so", async () => {
    const sandbox = createMachine();
    addProgram(sandbox, "codium", tool);
    const { code, text } = await call(sandbox, "install", "--yes", "vscodium");
    expect(code).toBe(1);
    expect(text).toContain("error: VSCodium: this ide-companion was packed without the extension of VS Code");
  });

  test("needs the editor's own tool", async () => {
    const sandbox = createMachine();
    Object.assign(sandbox.env, { PATH: `${sandbox.bin}:${path.dirname(process.execPath)}` });
    expect((await call(sandbox, "install", "--yes", "vscodium")).text).toContain(
      "there is no codium in your PATH, the command-line tool that VSCodium comes with",
    );
  });
});

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
