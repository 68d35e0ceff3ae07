import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { thisProcess } from "../../system/record-owner.ts";
import { startProgram, useExecutable } from "../process-fixture.ts";
import { addProgram, all, call, createMachine, files, look } from "./install-fixture.ts";

useExecutable();

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

  test("does one call at a time, also after one was killed, and uninstall knows of all", async () => {
    const sandbox = createMachine(files);
    const before = look(sandbox);
    const lock = path.join(sandbox.home, ".ide-companion-install.lock");
    const ended = spawnSync("true").pid;
    writeFileSync(lock, JSON.stringify({ owner: { ...thisProcess(), pid: ended }, at: 0 }));
    const calls = await Promise.all(all.map((name) => call(sandbox, "install", "--yes", name)));
    expect(calls.map(({ code }) => code)).toEqual(all.map(() => 0));
    const uninstalls = await Promise.all(all.map((name) => call(sandbox, "uninstall", "--yes", name)));
    expect(uninstalls.map(({ code }) => code)).toEqual(all.map(() => 0));
    expect(look(sandbox)).toEqual(before);
  }, 120_000);

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
    await call(sandbox, "install", "--yes", "emacs", "gemini", "helix", "kakoune", "neovim");
    const at = (name: string) => path.join(sandbox.home, name);
    writeFileSync(at(".emacs"), `${readFileSync(at(".emacs"), "utf8")}(setq c 3)\r\n`);
    const settings = readFileSync(at(".gemini/settings.json"), "utf8");
    writeFileSync(at(".gemini/settings.json"), settings.replace('"x"', '"y"'));
    const plugin = at(".local/share/ide-companion/kakoune/ide-companion.kak");
    writeFileSync(plugin, "# mine now\n");
    const loader = at(".local/share/nvim/site/plugin/load-ide-companion.lua");
    writeFileSync(loader, "-- mine now\n");
    const run = await call(sandbox, "uninstall", "--yes");
    expect(run.text).toContain(`${path.dirname(plugin)} stays: it has been changed since`);
    expect(run.text).toContain(`${loader} stays: it has been changed since`);
    expect(readFileSync(at(".emacs"), "utf8")).toBe("(setq a 1)\r\n(setq b 2)\r\n(setq c 3)\r\n");
    expect(readFileSync(at(".gemini/settings.json"), "utf8")).toBe(
      '{ "ui": { "theme": "y" }, /* why */ "ide": { "enabled": false } }\n',
    );
    expect(readFileSync(at(".config/helix/languages.toml"), "utf8")).toBe(
      files[".config/helix/languages.toml"],
    );
    expect(readFileSync(plugin, "utf8")).toBe("# mine now\n");
  });

  test("takes out what an earlier call has set, also when a later one finds it set", async () => {
    const sandbox = createMachine();
    const settings = path.join(sandbox.home, ".qwen/settings.json");
    const rewrite = (from: string, to: string) =>
      writeFileSync(settings, readFileSync(settings, "utf8").replace(from, to));
    await call(sandbox, "install", "--yes", "qwen");
    expect(readFileSync(settings, "utf8")).toContain('"approvalMode"');
    rewrite('"enabled": true', '"enabled": false');
    await call(sandbox, "install", "--yes", "qwen");
    expect(readFileSync(settings, "utf8")).toContain('"enabled": true');
    rewrite("{", '{\n  "theme": "x",');
    await call(sandbox, "uninstall", "--yes");
    expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual({ theme: "x", ide: { enabled: false } });
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

  test.each([
    ["emacs", ".emacs", "  ; (require 'ide-companion)\n"],
    ["kakoune", ".config/kak/kakrc", '#source "~/ide-companion/editors/kakoune/ide-companion.kak"\n'],
  ])("sets %s up where a line that would do it is a comment", async (name, file, text) => {
    const sandbox = createMachine({ [file]: text });
    expect((await call(sandbox, "install", "--yes", name)).text).toContain(" is set up.\n");
    expect(readFileSync(path.join(sandbox.home, file), "utf8")).toContain("ide-companion >>>");
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
    const { hashFolder } = await import("./change.ts");
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
    expect(made).toEqual([".claude", ".claude.json", ".emacs.d", ".gemini", ".qwen", ".vim", "c", "d", "s"]);
    expect(existsSync(path.join(sandbox.home, "d/mine/site/pack/ide/start/ide-companion"))).toBe(true);
    await call(sandbox, "uninstall", "--yes");
    expect(readdirSync(sandbox.home)).toEqual([]);
  });

  test.each([
    ["gemini", ".gemini/settings.json"],
    ["qwen", ".qwen/settings.json"],
    ["claude", ".claude/settings.json"],
    ["codex", ".codex/hooks.json"],
    ["copilot", ".copilot/hooks/ide-companion.json"],
  ])(
    "sets up the hooks of %s behind those of the user, and uninstall takes them out alone",
    async (name, file) => {
      const own = { matcher: "x", hooks: [{ type: "command", command: "mine" }] };
      const text = `{ "hooks": { "PreToolUse": [ ${JSON.stringify(own)} ] } }\n`;
      const isOwnFile = name === "copilot";
      const sandbox = createMachine(isOwnFile ? {} : { [file]: text });
      const settings = path.join(sandbox.home, file);
      const shown = await call(sandbox, "install", "--dry-run", name);
      expect(shown.text).toContain(`ide-companion hook ${name}`);
      await call(sandbox, "install", "--yes", name);
      const { hooks } = JSON.parse(readFileSync(settings, "utf8"));
      const last = Object.values<object[]>(hooks).map((list) => JSON.stringify(list.at(-1)));
      expect(
        last.filter((entry) => entry.includes(`ide-companion hook ${name}`)).length,
      ).toBeGreaterThanOrEqual(5);
      if (!isOwnFile) expect(Object.values<object[]>(hooks).flat()).toContainEqual(own);
      const again = await call(sandbox, "install", "--yes", name);
      expect(again.text).toMatch(/is set up already\.\n$/);
      const doctor = await call(sandbox, "doctor", name);
      expect(doctor.text.replaceAll(/\s+/g, " ")).toContain("what it writes without asking is recorded");
      // By somebody else, in between.
      if (!isOwnFile) writeFileSync(settings, readFileSync(settings, "utf8").replace('"mine"', '"my own"'));
      await call(sandbox, "uninstall", "--yes", name);
      if (isOwnFile) expect(readdirSync(sandbox.home)).toEqual([]);
      else
        expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual(
          JSON.parse(text.replace('"mine"', '"my own"')),
        );
    },
  );

  test("sets up opencode's plugin in a file of ours, and not in place of one of the user's", async () => {
    const sandbox = createMachine();
    const plugin = path.join(sandbox.home, ".config/opencode/plugins/ide-companion.js");
    const shown = await call(sandbox, "install", "--dry-run", "opencode");
    expect(shown.text).toContain('spawn("ide-companion", ["hook", "opencode", event]');
    expect(readdirSync(sandbox.home)).toEqual([]);
    await call(sandbox, "install", "--yes", "opencode");
    expect((await call(sandbox, "install", "--yes", "opencode")).text).toMatch(/is set up already\.\n$/);
    const recorded = async () =>
      (await call(sandbox, "doctor", "opencode")).text
        .replaceAll(/\s+/g, " ")
        .includes("what it writes without asking is recorded");
    expect(await recorded()).toBe(true);
    const ours = readFileSync(plugin, "utf8");
    writeFileSync(plugin, "// mine now\n");
    expect(await recorded()).toBe(false);
    expect((await call(sandbox, "uninstall", "--yes", "opencode")).text).toContain(
      "it has been changed since",
    );
    expect((await call(sandbox, "install", "--yes", "opencode")).text).toContain("not by this command");
    rmSync(plugin);
    await call(sandbox, "install", "--yes", "opencode");
    expect(readFileSync(plugin, "utf8")).toBe(ours);
    await call(sandbox, "uninstall", "--yes", "opencode");
    expect(existsSync(plugin)).toBe(false);
  });

  test("sets up no hooks where they are not wanted, or would not find this program", async () => {
    const sandbox = createMachine();
    await call(sandbox, "install", "--yes", "--no-hooks", "gemini");
    expect(readFileSync(path.join(sandbox.home, ".gemini/settings.json"), "utf8")).not.toContain("hooks");
    const other = createMachine();
    rmSync(path.join(other.bin, "ide-companion"));
    Object.assign(other.env, { PATH: "/usr/bin:/bin" });
    const { text } = await call(other, "install", "--yes", "gemini");
    expect(text).toContain("There are no hooks");
    expect(readFileSync(path.join(other.home, ".gemini/settings.json"), "utf8")).not.toContain("hooks");
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

  test("ends as interrupted, and changes nothing, when Ctrl-C is the answer to its first question", async () => {
    const sandbox = createMachine();
    addProgram(sandbox, "kak", "");
    const run = startProgram(sandbox, "script", ["-qec", "ide-companion install", "/dev/null"], {
      stdin: "pipe",
      ownGroup: true,
    });
    await run.until(/Which\?/);
    // Another question would end with the input.
    run.child.stdin?.end("\x03");
    expect(await run.end).toBe(130);
    expect(run.text).not.toContain("Make these changes?");
  });
});
