// Runs on Windows: sets up editors and agents in a user's profile, and undoes it. Prints as JSON what came of it.
// `node install.mjs EXECUTABLE`
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { executable, folder, print, start } from "./terminal.mjs";

const home = homedir();
const { APPDATA: roaming } = process.env;
const bin = "C:\\npm";
const own = {
  // The command-line tool of VS Code, which notes what it is called with. Its editor is no part of Wine.
  [join(bin, "code.cmd")]: `@echo %*>>"${join(home, "called.txt")}"\r\n`,
  // What the editors start, found by its name.
  [join(bin, "ide-companion.cmd")]: `@node "${executable}" %*\r\n`,
  [join(roaming, ".emacs.d", "init.el")]: "\uFEFF;; mine\r\n(setq inhibit-startup-screen t)",
  [join(roaming, "helix", "languages.toml")]: "# mine\r\n[[language]]\r\nname = 'rust'\r\n",
  [join(home, ".gemini", "settings.json")]: '{\r\n  // mine\r\n  "theme": "Dark"\r\n}',
  [join(home, ".claude.json")]: '{"autoUpdates":false}',
};
for (const [file, text] of Object.entries(own)) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const env = { ...process.env, PATH: [bin, dirname(process.execPath), process.env.PATH].join(";") };
const run = (...args) => start(process.execPath, [executable, ...args], { cwd: folder, env });
const names = ["neovim", "vim", "emacs", "helix", "kate", "vscode", "gemini", "claude"];
const before = read();
const installed = await run("install", "--yes", ...names);
const between = read();
const uninstalled = await run("uninstall", "--yes");
print({
  installed,
  changed: differences(before, between),
  init: Buffer.from(between.get(join("AppData", "Roaming", ".emacs.d", "init.el")), "latin1").toString(),
  calls: between.get("called.txt"),
  uninstalled,
  left: differences(before, read()),
});

/** Every file of the profile, byte for byte. */
function read(place = home, files = new Map()) {
  for (const name of readdirSync(place)) {
    const path = join(place, name);
    if (statSync(path).isDirectory()) read(path, files);
    else files.set(relative(home, path), readFileSync(path, "latin1"));
  }
  return files;
}

/** The names of files that are not the same in both. */
function differences(one, other) {
  const names = [...new Set([...one.keys(), ...other.keys()])];
  return names.filter((name) => one.get(name) !== other.get(name)).toSorted();
}
