import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { browserOptions } from "../../packages/testkit/src/browser.mjs";
import { inRepository } from "../repository.mjs";
import { proposeAsClaude, proposeAsCopilot, proposeAsGemini } from "./agents.mjs";
import { files } from "./sample.mjs";
import { toHtml } from "./terminal-html.mjs";

const run = promisify(execFile);
const usual = { columns: 132, rows: 34, propose: proposeAsGemini };
/** A terminal of the usual first size. */
const small = { columns: 80, rows: 24 };
const patience = 20_000;
/** All of them, in tmux. */
const colours = "set -g default-terminal tmux-256color\nset -as terminal-features ',*:RGB'\n";

const trixie = inRepository(".cache", "trixie-editors");
const neovim = join(trixie, "usr", "bin", "nvim");
const helix = join(trixie, "usr", "lib", "hx", "hx");
const emacs = "/usr/bin/emacs";
const kakoune = "/usr/bin/kak";
const vim = "/usr/bin/vim.nox";
const codex = inRepository(
  ...["e2e", "codex-cli", "node_modules", "@openai", "codex-linux-x64"],
  ...["vendor", "x86_64-unknown-linux-musl", "bin", "codex"],
);

/** What is photographed, with each agent: an editor's settings, its start, and the keys that bring the shot about. */
const shots = [
  ...inLayouts("neovim", ".config/nvim/init.lua", neovimSettings, [neovim, "-n", "src/cart.ts"]),
  ...inLayouts("vim", ".vimrc", vimSettings, [vim, "-n", "-i", "NONE", "src/cart.ts"]),
  {
    name: "emacs",
    settings: { ".emacs.d/init.el": emacsSettings() },
    command: [emacs, "-nw", "-Q", "-l", "../../.emacs.d/init.el", "src/cart.ts"],
    async arrange(terminal, propose) {
      await propose();
      await terminal.shows("accepts");
    },
  },
  {
    name: "kakoune",
    settings: {
      ".config/kak/kakrc": `source "${inRepository("editors", "kakoune", "ide-companion.kak")}"\nide-companion-enable\n`,
    },
    command: [kakoune, "src/cart.ts"],
    async arrange(terminal, propose) {
      await propose();
      await terminal.shows("1 proposal");
      await terminal.type(":ide-companion-review\r");
      await terminal.shows(":w accepts");
      await terminal.type(":ide-companion-next-change\r");
    },
  },
  {
    name: "helix",
    settings: {
      ".config/helix/languages.toml": `[language-server.ide-companion]
command = "ide-companion"
args = ["lsp"]
[[language]]
name = "typescript"
language-servers = ["ide-companion"]
`,
    },
    command: [helix, "src/cart.ts"],
    env: { HELIX_RUNTIME: join(trixie, "usr/lib/hx/runtime") },
    async arrange(terminal, propose) {
      await propose();
      await terminal.shows("accept, reject");
      await terminal.type("]d a");
      await terminal.shows("Accept the change");
    },
  },
  {
    name: "codex-cli/neovim",
    columns: 144,
    rows: 26,
    settings: {
      ".config/nvim/init.lua": neovimSettings("vertical"),
      ".codex/config.toml": codexSettings(),
      ".tmux.conf": `${colours}set -g status off\nset -g destroy-unattached on\n`,
    },
    command: [
      ...["/bin/sh", "-c"],
      `unset TMUX; exec tmux -S "$TMPDIR/panes" -f "$HOME/.tmux.conf" new-session ${neovim} -n src/cart.ts`,
    ],
    needs: [neovim, codex],
    arrange: askCodex,
  },
];

function inLayouts(name, file, settings, command) {
  const layouts = { [name]: "vertical", [`${name}-unified`]: "unified" };
  return Object.entries(layouts).map(([shot, layout]) => ({
    name: shot,
    settings: { [file]: settings(layout) },
    command,
    arrange: goToDiff,
  }));
}

/** The selection stays where it is, as the user goes to the other half of the terminal. */
async function askCodex(terminal) {
  await terminal.shows("EUR");
  await terminal.type("17GV2j");
  await terminal.shows("VISUAL LINE");
  await terminal.type("\x02:"); // with more behind it, it is taken for a paste
  await terminal.type(`split-window -h "${codex} --no-daemon"\r`);
  await terminal.shows("Ask Codex");
  await delay(1500); // until then it drops keys
  await terminal.type("/ide on");
  await terminal.shows("/ide on");
  await delay(1000); // directly behind typed text, Enter is a part of a paste
  await terminal.type("\r");
  await terminal.shows("IDE context is on");
  await terminal.type("Why does this ignore the currency?");
  await terminal.shows("ignore the");
}

/** Nobody is asked anything: the picture is of a prompt before it is sent. */
function codexSettings() {
  return `model = "gpt-5.2-codex"
model_provider = "nobody"
check_for_update_on_startup = false
features.daemon_auto_start = false
analytics.enabled = false
feedback.enabled = false
[model_providers.nobody]
name = "nobody"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
[projects."$HOME/projects/shop"]
trust_level = "trusted"
`;
}

async function goToDiff(terminal, propose) {
  await propose();
  await terminal.shows("proposes");
  await terminal.type(":IdeCompanion diff\r");
  // Neovim's words and Vim's.
  await terminal.shows(/:q rejects|Reject :q/);
}

function neovimSettings(layout) {
  const plugin = JSON.stringify(inRepository("editors", "neovim"));
  return `vim.opt.rtp:prepend(${plugin})\nrequire("ide-companion").setup({ diff = { layout = "${layout}" } })\n`;
}

/** With the colours of docs/editors/vim.md: Vim's own are for terminals of eight colours. */
function vimSettings(layout) {
  const plugin = inRepository("editors", "vim").replaceAll(" ", "\\ ");
  return `let g:ide_companion = {'diff': {'layout': '${layout}'}}
set nocompatible termguicolors background=dark fillchars+=vert:\\ 
set runtimepath^=${plugin}
filetype plugin on
syntax on
colorscheme habamax
highlight DiffAdd guifg=NONE guibg=#1e3a2a
highlight DiffChange guifg=NONE guibg=#26323f
highlight DiffText guifg=NONE guibg=#35597a
highlight DiffDelete guifg=#b58088 guibg=#3a2226
highlight ToolbarButton gui=bold guifg=#d0d0d0 guibg=#3a3a3a
`;
}

/** Emacs 28 brings no mode for TypeScript. */
function emacsSettings() {
  return `(setq inhibit-startup-screen t native-comp-deferred-compilation nil)
(menu-bar-mode -1)
(load-theme 'modus-vivendi t)
(add-to-list 'auto-mode-alist '("\\\\.ts\\\\'" . js-mode))
(add-to-list 'load-path ${JSON.stringify(inRepository("editors", "emacs"))})
(require 'ide-companion)
(ide-companion-mode 1)
`;
}

/** Writes the pictures of editors in terminals, from the plugins and the executable as they are now. */
export async function takeEditorPictures() {
  const folder = inRepository("docs", "pictures");
  const layouts = ["neovim-unified", "vim-unified"];
  const withClaude = shots
    .filter(({ name }) => !layouts.includes(name) && !name.includes("/"))
    .map((shot) => ({ ...shot, ...small, propose: proposeAsClaude, name: `claude-code/${shot.name}` }));
  const withCopilot = shots
    .filter(({ name }) => name === "neovim")
    .map((shot) => ({ ...shot, ...small, propose: proposeAsCopilot, name: "copilot-cli/neovim" }));
  for (const agent of ["claude-code", "copilot-cli", "codex-cli"])
    await mkdir(join(folder, agent), { recursive: true });
  const browser = await chromium.launch(browserOptions);
  try {
    for (const shot of [...shots.map((one) => ({ ...usual, ...one })), ...withClaude, ...withCopilot]) {
      const { needs = [shot.command[0]] } = shot;
      if (!needs.every((program) => existsSync(program))) {
        console.log(
          `${shot.name}.png stays as it is: \`npm test\` installs what it needs, where that can be done`,
        );
        continue;
      }
      const screen = await captureShot(shot);
      const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
      await page.setContent(toHtml(screen, { columns: shot.columns, title: "~/projects/shop" }));
      await page.locator("main").screenshot({ path: join(folder, `${shot.name}.png`) });
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

async function captureShot({ settings, command, env = {}, arrange, propose, columns, rows }) {
  const home = await realpath(await mkdtemp(join(tmpdir(), "pictures-")));
  const shop = join(home, "projects", "shop");
  const tmp = join(home, "tmp");
  const bin = join(home, "bin");
  for (const part of [tmp, bin, join(shop, ".git")]) await mkdir(part, { recursive: true });
  for (const [path, text] of Object.entries(settings)) {
    await mkdir(dirname(join(home, path)), { recursive: true, mode: 0o700 });
    await writeFile(join(home, path), text.replaceAll("$HOME", home));
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(shop, name)), { recursive: true });
    await writeFile(join(shop, name), content);
  }
  const executable = inRepository("packages", "companion", "dist", "ide-companion.js");
  await chmod(executable, 0o755);
  await symlink(executable, join(bin, "ide-companion"));
  const PATH = `${bin}:${dirname(process.execPath)}:${process.env.PATH}`;
  const machine = { HOME: home, TMPDIR: tmp, PATH, LANG: "C.UTF-8", TERM: "xterm-256color", ...env };
  const terminal = await startTerminal(command, shop, machine, { columns, rows });
  const clients = [];
  try {
    await arrange(terminal, async () => clients.push(await propose(machine, shop)));
    await delay(300); // its last strokes
    return (await terminal.capture()).replaceAll(home, "~");
  } finally {
    for (const client of clients) await client.close();
    await terminal.close();
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function startTerminal(command, cwd, env, { columns, rows }) {
  const socket = join(env.TMPDIR, "tmux");
  await writeFile(`${socket}.conf`, colours);
  const tmux = async (...words) =>
    (await run("tmux", ["-S", socket, "-f", `${socket}.conf`, ...words], { env })).stdout;
  const size = ["-x", String(columns), "-y", String(rows), "-c", cwd, "-e", "COLORTERM=truecolor"];
  await tmux("new-session", "-d", ...size, ...command);
  return {
    type: (keys) => tmux("send-keys", "-l", keys),
    capture: async () => (await tmux("capture-pane", "-epN")).replace(/\n$/, ""),
    async shows(text) {
      const deadline = Date.now() + patience;
      while ((await tmux("capture-pane", "-p")).search(text) < 0) {
        if (Date.now() > deadline)
          throw new Error(`never shown: ${text}\n${await tmux("capture-pane", "-p")}`);
        await delay(50);
      }
    },
    close: () => tmux("kill-server"),
  };
}
