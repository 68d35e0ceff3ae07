import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createSandbox, installExecutable, type Sandbox, start } from "../process-fixture.ts";

/** Editors and agents, by the names that are typed. */
export const all = ["neovim", "vim", "emacs", "helix", "kate", "kakoune", "gemini", "qwen", "claude"];

/** As people have them: line ends of all kinds, comments, no last newline. */
export const files = {
  ".emacs": "(setq a 1)\r\n(setq b 2)",
  ".config/kak/kakrc": "# mine\n",
  ".config/helix/languages.toml":
    '# mine\r\n[[language]]\r\nname = "rust"\r\nlanguage-servers = [{ name = "ra", except-features = ["format"] }]\r\n',
  ".config/kate/lspclient/settings.json": '\uFEFF{\n\t"servers": {\n\t\t// mine\n\t\t"lua": {}\n\t}\n}',
  ".gemini/settings.json": '{ "ui": { "theme": "x" }, /* why */ "ide": { "enabled": false } }\n',
  ".claude.json": '{\n  "numStartups": 5,\n  "autoConnectIde": false,\n  "projects": { "/x": {} }\n}',
  ".vim/vimrc": "set nu\n",
};

/** A machine on which our command is in the PATH, with some files of the user's in its home. */
export function createMachine(files: Readonly<Record<string, string>> = {}): Sandbox {
  const sandbox = createSandbox();
  installExecutable(sandbox);
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(sandbox.home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return sandbox;
}

/** Runs our command. @returns its exit code and what it has printed */
export async function call(
  sandbox: Sandbox,
  ...args: readonly string[]
): Promise<{ code: unknown; text: string }> {
  const run = start(sandbox, args);
  const code = await run.end;
  return { code, text: run.text };
}

/** Every folder, link and byte of a home. */
export function look({ home }: Sandbox): Readonly<Record<string, string>> {
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
export function addProgram({ bin }: Sandbox, name: string, code: string): void {
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${code}\n`, { mode: 0o755 });
}
