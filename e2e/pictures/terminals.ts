import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { browserOptions } from "../../packages/testkit/src/browser.mjs";
import { writeConfig } from "../harness/codex.ts";
import { emacsCommand, packageConfig } from "../harness/emacs.ts";
import { helixCommand } from "../harness/helix.ts";
import { codex, emacs, helix, kakoune, neovim, vim } from "../harness/installed.ts";
import { kakouneCommand } from "../harness/kakoune.ts";
import { startModel } from "../harness/model.ts";
import { neovimCommand, pluginConfig } from "../harness/neovim.ts";
import { startTerminal, type Terminal, type TerminalOptions, typeLine } from "../harness/terminal.ts";
import { vimCommand } from "../harness/vim.ts";
import {
  inShop,
  type Propose,
  pictures,
  proposeAsClaude,
  proposeAsCopilot,
  proposeAsGemini,
  type Shop,
  writeAsGemini,
} from "./shop.ts";
import { toHtml } from "./terminal-html.ts";

/** A picture's subject: an editor, its start, and the keys that bring the shot about. */
interface Shot {
  readonly name: string;
  /** Programs. */
  readonly needs: readonly string[];
  readonly columns?: number;
  readonly lines?: number;
  readonly agent?: Propose;
  start(shop: Shop): Promise<Pick<TerminalOptions, "command" | "env">>;
  arrange(terminal: Terminal, propose: () => Promise<void>): Promise<void>;
}

const files = ["src/cart.ts"];
/** A terminal of the usual first size. */
const small = { columns: 80, lines: 24 };

const shots: readonly Shot[] = [
  ...(["vertical", "unified"] as const).flatMap((layout): Shot[] => {
    const suffix = layout === "unified" ? "-unified" : "";
    return [
      {
        name: `neovim${suffix}`,
        needs: [neovim],
        start: ({ sandbox }) => neovimCommand(sandbox, neovimConfig(layout), files),
        arrange: goToDiff,
      },
      {
        name: `vim${suffix}`,
        needs: [vim],
        start: ({ sandbox }) => vimCommand(sandbox, files, vimConfig(layout)),
        arrange: goToDiff,
      },
    ];
  }),
  {
    name: "emacs",
    needs: [emacs],
    start: ({ sandbox }) => emacsCommand(sandbox, `${emacsLook}${packageConfig}`, files),
    async arrange(terminal, propose) {
      await propose();
      await terminal.waitFor("accepts");
    },
  },
  {
    name: "kakoune",
    needs: [kakoune],
    start: ({ sandbox }) => kakouneCommand(sandbox, files),
    async arrange(terminal, propose) {
      await propose();
      await terminal.waitFor("Gemini CLI (1)");
      await typeLine(terminal, ":ide-companion-review");
      await terminal.waitFor(":w accepts");
      await typeLine(terminal, ":ide-companion-next-change");
    },
  },
  {
    name: "helix",
    needs: [helix.program],
    start: ({ sandbox }) => helixCommand(sandbox, files),
    async arrange(terminal, propose) {
      await propose();
      await terminal.waitFor("accept, reject");
      await terminal.type("]d a");
      await terminal.waitFor("Accept the change");
    },
  },
];

/** By what the user of an editor goes to the next mark. */
const toNextMark: Readonly<Record<string, string>> = {
  neovim: ":IdeCompanion next_written\r",
  vim: ":IdeCompanion next_written\r",
  emacs: "\x1bxide-companion-next-written\r\x0c", // into the middle
  kakoune: ":ide-companion-next-change\r",
};

const inOneLayout = shots.filter(({ name }) => !name.endsWith("-unified"));
const all: readonly Shot[] = [
  ...shots,
  ...inOneLayout.map((shot) => ({
    ...shot,
    ...small,
    agent: proposeAsClaude,
    name: `claude-code/${shot.name}`,
  })),
  ...inOneLayout
    .filter(({ name }) => name === "neovim")
    .map((shot) => ({ ...shot, ...small, agent: proposeAsCopilot, name: "copilot-cli/neovim" })),
  ...inOneLayout
    .filter(({ name }) => name in toNextMark)
    .map((shot) => ({
      ...{ ...shot, ...small, agent: writeAsGemini, name: `written/${shot.name}` },
      async arrange(terminal: Terminal, write: () => Promise<void>) {
        await terminal.waitFor("class Cart");
        await delay(2000); // its companion knows the file by then
        await write();
        await terminal.waitFor("Gemini CLI changed");
        await terminal.type(toNextMark[shot.name] ?? "");
        await terminal.waitFor("currentRates(currency)");
      },
    })),
  {
    name: "codex-cli/neovim",
    needs: [neovim, codex],
    columns: 144,
    lines: 26,
    start: startWithCodex,
    arrange: askCodex,
  },
];

async function take(shot: Shot, page: Page): Promise<void> {
  const { name, columns = 132, lines = 34, agent = proposeAsGemini } = shot;
  await inShop(async (shop) => {
    const { command, env } = await shot.start(shop);
    const options = { command, cwd: shop.folder, columns, lines, env: { ...env, COLORTERM: "truecolor" } };
    const terminal = await startTerminal(shop.sandbox, options);
    await shot.arrange(terminal, () => agent(shop));
    await delay(300); // its last strokes
    const screen = ((await terminal.painted?.()) ?? "").replaceAll(shop.sandbox.home, "~");
    await page.setContent(toHtml(screen, { columns, title: "~/projects/shop" }));
    const path = join(pictures, `${name}.png`);
    await mkdir(dirname(path), { recursive: true });
    await page.locator("main").screenshot({ path });
  });
}

async function goToDiff(terminal: Terminal, propose: () => Promise<void>): Promise<void> {
  await propose();
  await terminal.waitFor("proposes");
  await typeLine(terminal, ":IdeCompanion diff");
  // Neovim's words and Vim's.
  await terminal.waitFor(/:q rejects|Reject :q/);
}

/** A tmux of the user, in which Codex CLI gets the other half. Its model is asked nothing. */
async function startWithCodex({ sandbox, folder }: Shop) {
  await writeConfig(sandbox, await startModel(sandbox), [folder]);
  const { command, env } = await neovimCommand(sandbox, neovimConfig("vertical"), files);
  const config = join(sandbox.home, ".tmux.conf");
  await writeFile(
    config,
    "set -g status off\nset -g destroy-unattached on\nset -g default-terminal tmux-256color\n",
  );
  const panes = `unset TMUX; exec tmux -S "$TMPDIR/panes" -f ${config} new-session ${command.join(" ")}`;
  return { command: ["/bin/sh", "-c", panes], env: { ...env, OPENAI_API_KEY: "fake" } };
}

/** The selection stays where it is, as the user goes to the other half of the terminal. */
async function askCodex(terminal: Terminal): Promise<void> {
  await terminal.waitFor("EUR");
  await terminal.type("17GV2j");
  await terminal.waitFor("VISUAL LINE");
  await terminal.type("\x02:"); // with more behind it, it is taken for a paste
  await typeLine(terminal, `split-window -h "${codex} --no-daemon"`);
  await terminal.waitFor("Ask Codex");
  await delay(1500); // until then it drops keys
  await terminal.type("/ide on");
  await terminal.waitFor("/ide on");
  await delay(1000); // directly behind typed text, Enter is a part of a paste
  await terminal.press("Enter");
  await terminal.waitFor("IDE context is on");
  await terminal.type("Why does this ignore the currency?");
  await terminal.waitFor("ignore the");
}

const neovimConfig = (layout: string) =>
  `${pluginConfig}require("ide-companion").setup({ diff = { layout = "${layout}" } })\n`;

/** With the colours of docs/editors/vim.md: Vim's own are for terminals of eight colours. */
const vimConfig = (layout: string) => `let g:ide_companion = {'diff': {'layout': '${layout}'}}
set termguicolors background=dark fillchars+=vert:\\ 
syntax on
colorscheme habamax
highlight DiffAdd guifg=NONE guibg=#1e3a2a
highlight DiffChange guifg=NONE guibg=#26323f
highlight DiffText guifg=NONE guibg=#35597a
highlight DiffDelete guifg=#b58088 guibg=#3a2226
highlight ToolbarButton gui=bold guifg=#d0d0d0 guibg=#3a3a3a
`;

/** Emacs 28 brings no mode for TypeScript. */
const emacsLook = `(menu-bar-mode -1)
(load-theme 'modus-vivendi t)
(add-to-list 'auto-mode-alist '("\\\\.ts\\\\'" . js-mode))
`;

const browser = await chromium.launch(browserOptions);
try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  for (const shot of all) {
    if (shot.needs.every((program) => existsSync(program))) await take(shot, page);
    else console.log(`${shot.name}.png stays as it is: \`npm test\` installs what it needs`);
  }
} finally {
  await browser.close();
}
