import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { startAgent } from "./harness/agent-cli.ts";
import { chain } from "./harness/chain.ts";
import { startCompanion } from "./harness/companion.ts";
import { pathWithCommand } from "./harness/editor.ts";
import { gemini } from "./harness/gemini.ts";
import { addCommand, callCommand, companionOf, install } from "./harness/installation.ts";
import {
  codeServerScript,
  companionScript,
  emacs,
  helix,
  installableExtension,
  kakoune,
  kate,
  neovim,
  newerNode,
  vim,
} from "./harness/installed.ts";
import { killTree } from "./harness/process-tree.ts";
import { qwen } from "./harness/qwen.ts";
import { startTerminal } from "./harness/terminal.ts";
import type { World } from "./harness/world.ts";
import { startXScreen } from "./harness/x-screen.ts";

const run = promisify(execFile);

interface Installed {
  /** As it is typed. */
  readonly name: string;
  readonly displayName: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Started as their users do, with nothing but what is in their home. */
const editors: readonly Installed[] = [
  { name: "neovim", displayName: "Neovim", command: [neovim, "-n"] },
  { name: "vim", displayName: "Vim", command: [vim, "-n"] },
  { name: "emacs", displayName: "Emacs", command: [emacs, "-nw"] },
  { name: "kakoune", displayName: "Kakoune", command: [kakoune] },
  {
    name: "helix",
    displayName: "Helix",
    command: [helix.program],
    env: { HELIX_RUNTIME: helix.runtime },
  },
];

async function startsCompanion(world: World, { displayName, command, env }: Installed): Promise<void> {
  const file = await world.write("note.txt", "first\n");
  const terminal = await startTerminal(world, {
    command: [...command, file],
    env: { PATH: await pathWithCommand(world), ...env },
  });
  await companionOf(world, displayName, terminal.screen);
}

for (const editor of editors) {
  const { name, displayName, command } = editor;
  chain(
    `after \`ide-companion install ${name}\` in an empty home, ${displayName} has its companion; undone, the home is as before`,
    async (world) => {
      await install(world, name);
      await startsCompanion(world, editor);
    },
    { needs: { [displayName]: command[0] ?? "" } },
  );
}

chain(
  "after `ide-companion install kate` in an empty home, Kate has its companion; undone, the home is as before",
  async (world) => {
    const path = await pathWithCommand(world);
    const config = join(world.home, ".config");
    await mkdir(config);
    // Kate asks once whether a server may be started.
    const allowed = `AllowedServerCommandLines=${join(world.home, "bin", "ide-companion")} lsp`;
    await writeFile(join(config, "katerc"), `[lspclient]\n${allowed}\n`);
    await install(world, "kate");
    const screen = await startXScreen({ ...world, env: { ...world.env, PATH: path } });
    const file = await world.write("note.txt", "first\n");
    screen.start(kate, ["-n", world.workspace, file], world.workspace);
    await companionOf(world, "Kate", async () => (await screen.titles()).join("\n"));
  },
  { needs: { Kate: kate, Xvfb: "/usr/bin/Xvfb", xdotool: "/usr/bin/xdotool" } },
);

chain(
  "`ide-companion install code-server` brings the extension in by VS Code's own command line, and takes it out again",
  async (world) => {
    const [data, extensions] = [join(world.home, "data"), join(world.home, "extensions")];
    const folders = ["--user-data-dir", data, "--extensions-dir", extensions];
    await addCommand(world, "code-server", [join(newerNode, "node"), codeServerScript, ...folders]);
    const list = async () => {
      const tool = join(world.home, "bin", "code-server");
      return (await run(tool, ["--list-extensions", "--show-versions"], { env: world.env })).stdout;
    };
    await callCommand(world, "install", "--yes", "code-server");
    expect(await list()).toContain("ide-companion.ide-companion-vscode@0.1.0");
    expect(await callCommand(world, "install", "code-server")).toBe("code-server is set up already.\n");
    await callCommand(world, "uninstall", "--yes");
    expect(await list()).not.toContain("ide-companion");
  },
  { needs: { "code-server": codeServerScript, "the extension beside the executable": installableExtension } },
);

/** What lazy.nvim does to Neovim before it loads plugins by itself, as its documentation says. */
const lazy = `
vim.go.packpath = vim.env.VIMRUNTIME
vim.opt.rtp = { vim.fn.stdpath("config"), vim.fn.stdpath("data") .. "/site", vim.env.VIMRUNTIME }
vim.go.loadplugins = false
for _, folder in ipairs(vim.opt.rtp:get()) do
  for _, file in ipairs(vim.fn.glob(folder .. "/plugin/**/*.{vim,lua}", false, true)) do
    vim.cmd.source(file)
  end
end
`;

chain(
  "Neovim has its companion also where a plugin manager loads no packages of Neovim's own",
  async (world) => {
    await mkdir(join(world.home, ".config/nvim"), { recursive: true });
    await writeFile(join(world.home, ".config/nvim/init.lua"), lazy);
    await install(world, "neovim");
    await startsCompanion(world, { name: "neovim", displayName: "Neovim", command: [neovim, "-n"] });
  },
  { needs: { Neovim: neovim } },
);

chain(
  "the index of the plugins' help is the one that Neovim and Vim would make",
  async (world) => {
    await callCommand(world, "install", "--yes", "neovim", "vim");
    const folders = {
      [neovim]: ".local/share/nvim/site/pack/ide/start/ide-companion/doc",
      [vim]: ".vim/pack/ide/start/ide-companion/doc",
    };
    for (const [program, folder] of Object.entries(folders)) {
      const fresh = join(world.tmp, "doc");
      await cp(join(world.home, folder), fresh, { recursive: true });
      await run(program, ["-es", "-u", "NONE", "-i", "NONE", "-c", `helptags ${fresh}`, "-c", "qa!"], {
        env: world.env,
      });
      expect(await readFile(join(world.home, folder, "tags"), "utf8")).toBe(
        await readFile(join(fresh, "tags"), "utf8"),
      );
    }
  },
  { needs: { Neovim: neovim, Vim: vim } },
);

chain(
  "`ide-companion install` asks again, takes y, and loses nothing that is written to a settings file while it waits",
  async (world) => {
    for (const name of ["kak", "gemini"]) await addCommand(world, name, ["true"]);
    const settings = join(world.home, ".gemini", "settings.json");
    await mkdir(join(world.home, ".gemini"));
    await writeFile(settings, "{}\n");
    const bin = (await pathWithCommand(world)).split(":")[0];
    const startInstall = async () => {
      const command = ["env", `PATH=${bin}`, process.execPath, companionScript, "install"];
      const terminal = await startTerminal(world, { command });
      return async (question: string, answer = "") => {
        await terminal.waitFor(question);
        await terminal.type(answer);
        if (answer !== "") await terminal.press("Enter");
      };
    };
    const first = await startInstall();
    await first("Which?", "why");
    await first("There is no why in this list: type numbers from 1 to 2, or names.", "kakoune gemini");
    await first("Make these changes?");
    await writeFile(settings, '{ "security": {} }\n');
    await first("Make these changes?", "y");
    // The rest of the sentence may stand on the next line.
    await first("has changed in the meantime");
    expect(await readFile(settings, "utf8")).toBe('{ "security": {} }\n');
    expect(await readdir(world.home)).not.toContain(".config");

    const second = await startInstall();
    await second("Which?", "y");
    await second("Make these changes?", "y");
    await second("Kakoune is set up.");
  },
);

for (const kind of [gemini, qwen]) {
  chain(
    `\`ide-companion install ${kind.name}\` switches IDE mode on for the real ${kind.displayName}`,
    async (world) => {
      const companion = await startCompanion(world);
      // Its tests' own settings, without what is to be switched on.
      const { ide: _, tools: __, ...others } = kind.settings as Record<string, unknown>;
      const text = `// mine\n${JSON.stringify(others, null, 2)}\n`;
      const cli = await startAgent(world, kind, {
        settings: text,
        async start(...given) {
          await callCommand(world, "install", "--yes", kind.name);
          return startTerminal(...given);
        },
      });
      await cli.connected();
      await cli.proposeWrite(world.path("new.txt"), "new\n");
      await companion.says("new.txt");
    },
  );
}

chain(
  "without a name the editors that are found are offered, and nothing happens without a yes",
  async (world) => {
    const path = await pathWithCommand(world);
    await addCommand(world, "kak", [kakoune]);
    const start = (...args: readonly string[]) =>
      startTerminal(world, {
        // Alone in the PATH: what else this machine has is not asked for.
        command: ["env", `PATH=${path.split(":")[0]}`, process.execPath, companionScript, ...args],
      });
    const first = await start("install");
    await first.waitFor("Which? Numbers or names, Enter for every editor, q for none:");
    expect(await first.screen()).toContain("   1  Kakoune  ~/bin/kak");
    await first.type("1");
    await first.press("Enter");
    await first.waitFor("Make these changes? [y/N]");
    await first.press("Enter");
    expect(await first.exited()).toBe(1);
    expect(await first.screen()).toContain("Nothing was changed.");
    await killTree(first.pid);

    const second = await start("install", "kakoune");
    await second.waitFor("Make these changes? [y/N]");
    await second.type("y");
    await second.press("Enter");
    await second.waitFor("Kakoune is set up.");
    expect(await second.exited()).toBe(0);
  },
  { needs: { Kakoune: kakoune } },
);
