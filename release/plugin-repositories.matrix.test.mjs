import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { emacs, neovim, newerNeovim, packageLint, vim } from "../e2e/harness/installed.ts";
import { writePluginRepositories } from "./plugin-repositories.mjs";

const run = promisify(execFile);
// An editor starts in each, on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let root;
let plugins;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "plugins-")));
  plugins = await writePluginRepositories(join(root, "plugins"), "someone/ide-companion");
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** An empty home, and the environment of a user who has it. */
async function user() {
  const home = await mkdtemp(join(root, "home-"));
  return { home, env: { HOME: home, PATH: process.env.PATH, TMPDIR: root, LANG: "C.UTF-8" } };
}

/** Installs as git does for a plugin manager. */
async function clone(plugin, into, env) {
  const as = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "safe.directory=*"];
  if (!existsSync(join(plugin, ".git"))) {
    await run("git", ["init", "--quiet"], { cwd: plugin, env });
    await run("git", [...as, "add", "."], { cwd: plugin, env });
    await run("git", [...as, "commit", "--quiet", "--message=The plugin"], { cwd: plugin, env });
  }
  await mkdir(dirname(into), { recursive: true });
  await run("git", ["clone", "--quiet", plugin, into], { env });
}

test("each repository has its plugin in the root, with a README and the licence, and no links out of it", async () => {
  expect(await readdir(plugins.neovim)).toEqual(["LICENSE", "README.md", "doc", "lua", "plugin"]);
  expect(await readdir(plugins.vim)).toEqual(["LICENSE", "README.md", "autoload", "doc", "plugin"]);
  expect(await readdir(plugins.emacs)).toContain("ide-companion.el");
  for (const editor of ["neovim", "vim", "emacs"]) {
    const readme = await readFile(join(plugins[editor], "README.md"), "utf8");
    expect(readme).toMatch(/^# ide-companion for /);
    expect(readme).not.toMatch(/\.\.\/|~\/ide-companion/);
  }
  await expect(writePluginRepositories(join(root, "none"), "")).rejects.toThrow(
    "not the name of a repository",
  );
});

const lua = `
  vim.cmd("helptags ALL")
  io.write(vim.fn.exists(":IdeCompanion"), " ", #vim.fn.getcompletion("ide-companion", "help") > 0 and "help" or "none")
`;

test.skipIf(!existsSync(neovim))("Neovim loads the repository as a package, and by packadd", async () => {
  const { home, env } = await user();
  const packages = join(home, ".local", "share", "nvim", "site", "pack", "plugins");
  await clone(plugins.neovim, join(packages, "start", "ide-companion.nvim"), env);
  const started = await run(neovim, ["--headless", "-c", `lua ${lua}`, "-c", "qall!"], { env });
  expect(started.stdout).toBe("2 help");
  await mkdir(join(packages, "opt"));
  await cp(join(packages, "start"), join(packages, "opt"), { recursive: true });
  await rm(join(packages, "start"), { recursive: true });
  const unasked = await run(neovim, ["--headless", "-c", `lua ${lua}`, "-c", "qall!"], { env });
  expect(unasked.stdout).toBe("0 none");
  const add = ["-c", "packadd ide-companion.nvim"];
  const added = await run(neovim, ["--headless", ...add, "-c", `lua ${lua}`, "-c", "qall!"], { env });
  expect(added.stdout).toBe("2 help");
});

test.skipIf(!existsSync(newerNeovim))("Neovim's vim.pack installs the repository", async () => {
  const { home, env } = await user();
  await clone(plugins.neovim, join(home, "upstream", "ide-companion.nvim"), env);
  const add = `vim.pack.add({ "file://${join(home, "upstream", "ide-companion.nvim")}" }, { confirm = false, load = true })`;
  const { stdout } = await run(
    newerNeovim,
    ["--headless", "-c", `lua ${add}`, "-c", `lua ${lua}`, "-c", "qall!"],
    { env },
  );
  expect(stdout).toContain("2 help");
});

test.skipIf(!existsSync(vim))("Vim loads the repository as a package", async () => {
  const { home, env } = await user();
  await clone(plugins.vim, join(home, ".vim", "pack", "plugins", "start", "ide-companion.vim"), env);
  const out = join(home, "out");
  const ask = [
    "helptags ALL",
    `call writefile([exists(":IdeCompanion") .. " " .. len(getcompletion("ide-companion", "help"))], "${out}")`,
    "qall!",
  ];
  await run(vim, ["-es", "-N", "-u", "NORC", "-i", "NONE", ...ask.flatMap((line) => ["-c", line])], { env });
  expect(await readFile(out, "utf8")).toMatch(/^2 [1-9]/);
});

/** @returns {Promise<string>} what Emacs has printed */
async function batch(env, ...args) {
  const { stdout, stderr } = await run(emacs, ["--batch", ...args], { env });
  return stdout + stderr;
}

test.skipIf(!existsSync(emacs))(
  "Emacs installs the repository as a package, which compiles without a warning",
  async () => {
    const { home, env } = await user();
    await clone(plugins.emacs, join(home, "ide-companion.el"), env);
    const install = ["--eval", "(require 'package)", "--eval", "(package-initialize)"];
    const file = `(package-install-file "${join(home, "ide-companion.el")}")`;
    expect(await batch(env, ...install, "--eval", file)).not.toMatch(/warning|error/i);
    const [installed] = (await readdir(join(home, ".emacs.d", "elpa"))).filter((name) =>
      name.startsWith("ide-"),
    );
    expect(installed).toMatch(/^ide-companion-\d+\.\d+\.\d+$/);
    expect(await readdir(join(home, ".emacs.d", "elpa", installed))).toContain("ide-companion.elc");
    const ask = "(princ (list (commandp (quote ide-companion-mode)) (featurep (quote ide-companion))))";
    expect(await batch(env, ...install, "--eval", ask)).toContain("(t nil)");
  },
);

test.skipIf(!existsSync(packageLint))(
  "checkdoc and package-lint find no fault with the repository for Emacs",
  async () => {
    const { env } = await user();
    const files = (await readdir(plugins.emacs)).filter((name) => name.endsWith(".el"));
    const paths = files.map((name) => join(plugins.emacs, name));
    const check = paths.flatMap((path) => ["--eval", `(checkdoc-file "${path}")`]);
    expect(await batch(env, "-Q", ...check)).toBe("");
    const main = ["--eval", `(setq package-lint-main-file "${join(plugins.emacs, "ide-companion.el")}")`];
    const lint = ["-Q", "-l", packageLint, ...main, "-f", "package-lint-batch-and-exit", ...paths];
    const { stderr } = await run(emacs, ["--batch", ...lint], { env }).catch((error) => error);
    const found = stderr.split("\n").filter((line) => /: (error|warning): /.test(line));
    // It is older than Emacs 28.
    const known = "This makes the package uninstallable in all released Emacs versions.";
    expect(found.filter((line) => !line.includes(known))).toEqual([]);
  },
);

test("MELPA's recipe names the repository for Emacs", async () => {
  expect(await readFile(plugins.recipe, "utf8")).toBe(
    '(ide-companion :fetcher github :repo "someone/ide-companion.el")\n',
  );
});
