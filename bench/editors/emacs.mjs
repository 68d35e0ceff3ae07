import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const source = join(import.meta.dirname, "../../editors/emacs");

/** @type {import("./index.mjs").BenchEditor} */
export const emacs = {
  name: "Emacs",
  program: "/usr/bin/emacs",
  down: "\x0e", // C-n
  up: "\x10", // C-p
  libraries: "jsonrpc and project",
  async prepare({ home, file, ready, withPlugin, withLibraries, showsProposals }) {
    const folder = join(home, ".emacs.d");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "early-init.el"), early);
    const lines = [quiet];
    if (withLibraries) lines.push("(require 'jsonrpc)", "(require 'project)");
    if (withPlugin) {
      const packages = await compiled(dirname(home));
      lines.push(`(add-to-list 'load-path ${quote(packages)})`, "(require 'ide-companion)");
      if (showsProposals) lines.push("(setq ide-companion-on-proposal 'select)");
      lines.push("(ide-companion-mode 1)");
    }
    // The package has started by then; it does deferred work while Emacs waits for keys.
    const writeReady = `(lambda () (write-region "" nil ${quote(ready)} nil 'silent))`;
    lines.push(`(add-hook 'window-setup-hook (lambda () (run-with-timer 0 nil ${writeReady})))`);
    await writeFile(join(folder, "init.el"), `${lines.join("\n")}\n`);
    return { args: ["-nw", file] };
  },
};

/** None of the system's packages, and no compiler in the background. */
const early = "(setq package-enable-at-startup nil native-comp-deferred-compilation nil)";
const quiet = "(setq inhibit-startup-screen t auto-save-default nil create-lockfiles nil)";

/** @type {Map<string, Promise<string>>} */
const compilations = new Map();

/** The folder of the package, compiled as package managers do it; once for all starts. */
function compiled(below) {
  const known = compilations.get(below) ?? compile(join(below, "emacs-package"));
  compilations.set(below, known);
  return known;
}

async function compile(folder) {
  await mkdir(folder);
  const names = (await readdir(source)).filter((name) => name.endsWith(".el"));
  const copies = names.map((name) => join(folder, name));
  await Promise.all(names.map((name, index) => copyFile(join(source, name), copies[index])));
  await run(emacs.program, ["-Q", "--batch", "-L", folder, "-f", "batch-byte-compile", ...copies]);
  return folder;
}

/** Text as a Lisp string. */
const quote = (text) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
