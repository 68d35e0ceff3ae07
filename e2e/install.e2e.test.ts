import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { ended, killTree } from "../packages/testkit/src/process-tree.ts";
import { run } from "../packages/testkit/src/run.ts";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { poll } from "../packages/testkit/src/waiting.ts";
import { startAgent } from "./harness/agent-cli.ts";
import { startCompanion } from "./harness/companion.ts";
import { pathWithCommand } from "./harness/editor.ts";
import { gemini } from "./harness/gemini.ts";
import { callCommand, companionOf, install } from "./harness/installation.ts";
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
import { programInPath } from "./harness/path-to.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";
import { startTerminal, typeLine } from "./harness/terminal.ts";
import { startXScreen } from "./harness/x-screen.ts";

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

async function startsCompanion(sandbox: Sandbox, { displayName, command, env }: Installed): Promise<void> {
  const file = await sandbox.write("note.txt", "first\n");
  // Until its editor has been missed, the companion puts back what is removed.
  const companions: number[] = [];
  sandbox.own({ close: () => ended(companions) });
  const terminal = await startTerminal(sandbox, {
    command: [...command, file],
    env: { PATH: await pathWithCommand(sandbox), ...env },
  });
  await companionOf(sandbox, displayName, terminal.screen);
  const folder = join(sandbox.home, ".local", "state", "ide-companion", "companions");
  const look = async () => {
    const names = await readdir(folder).catch(() => []); // it is written a moment later
    const files = names.filter((name) => name.endsWith(".json"));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
    // The name holds the editor's process.
    const pids = texts.map((text): number => JSON.parse(text).serverPid);
    return pids.length > 0 ? pids : undefined;
  };
  companions.push(...(await poll("the companion's process", look)));
}

for (const editor of editors) {
  const { name, displayName, command } = editor;
  scenario(
    `after \`ide-companion install ${name}\` in an empty home, ${displayName} has its companion; undone, the home is as before`,
    async (sandbox) => {
      await install(sandbox, name);
      await startsCompanion(sandbox, editor);
    },
    { needs: { [displayName]: command[0] ?? "" } },
  );
}

scenario(
  "after `ide-companion install kate` in an empty home, Kate has its companion; undone, the home is as before",
  async (sandbox) => {
    const path = await pathWithCommand(sandbox);
    const config = join(sandbox.home, ".config");
    await mkdir(config);
    // Kate asks once whether a server may be started.
    const allowed = `AllowedServerCommandLines=${join(sandbox.home, "bin", "ide-companion")} lsp`;
    await writeFile(join(config, "katerc"), `[lspclient]\n${allowed}\n`);
    await install(sandbox, "kate");
    const screen = await startXScreen({ ...sandbox, env: { ...sandbox.env, PATH: path } });
    const file = await sandbox.write("note.txt", "first\n");
    screen.start(kate, ["-n", sandbox.workspace, file], sandbox.workspace);
    await companionOf(sandbox, "Kate", async () => (await screen.titles()).join("\n"));
  },
  { needs: { Kate: kate, Xvfb: "/usr/bin/Xvfb", xdotool: "/usr/bin/xdotool" } },
);

scenario(
  "`ide-companion install code-server` brings the extension in by VS Code's own command line, and takes it out again",
  async (sandbox) => {
    const [data, extensions] = [join(sandbox.home, "data"), join(sandbox.home, "extensions")];
    const folders = ["--user-data-dir", data, "--extensions-dir", extensions];
    await programInPath(sandbox, "code-server", [join(newerNode, "node"), codeServerScript, ...folders]);
    const list = async () => {
      const tool = join(sandbox.home, "bin", "code-server");
      return (await run(tool, ["--list-extensions", "--show-versions"], { env: sandbox.env })).stdout;
    };
    await callCommand(sandbox, "install", "--yes", "code-server");
    expect(await list()).toContain("ide-companion.ide-companion-vscode@0.1.0");
    expect(await callCommand(sandbox, "install", "code-server")).toBe("code-server is set up already.\n");
    await callCommand(sandbox, "uninstall", "--yes");
    expect(await list()).not.toContain("ide-companion");
  },
  {
    needs: { "code-server": codeServerScript, "the extension next to the executable": installableExtension },
  },
);

/** What lazy.nvim does to Neovim before it loads plugins, as its documentation says. */
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

scenario(
  "Neovim has its companion also where a plugin manager loads no packages of Neovim's own",
  async (sandbox) => {
    await mkdir(join(sandbox.home, ".config/nvim"), { recursive: true });
    await writeFile(join(sandbox.home, ".config/nvim/init.lua"), lazy);
    await install(sandbox, "neovim");
    await startsCompanion(sandbox, { name: "neovim", displayName: "Neovim", command: [neovim, "-n"] });
  },
  { needs: { Neovim: neovim } },
);

scenario(
  "the index of the plugins' help is the one that Neovim and Vim would make",
  async (sandbox) => {
    await callCommand(sandbox, "install", "--yes", "neovim", "vim");
    const folders = {
      [neovim]: ".local/share/nvim/site/pack/ide/start/ide-companion/doc",
      [vim]: ".vim/pack/ide/start/ide-companion/doc",
    };
    for (const [program, folder] of Object.entries(folders)) {
      const fresh = join(sandbox.tmp, "doc");
      await cp(join(sandbox.home, folder), fresh, { recursive: true });
      await run(program, ["-es", "-u", "NONE", "-i", "NONE", "-c", `helptags ${fresh}`, "-c", "qa!"], {
        env: sandbox.env,
      });
      expect(await readFile(join(sandbox.home, folder, "tags"), "utf8")).toBe(
        await readFile(join(fresh, "tags"), "utf8"),
      );
    }
  },
  { needs: { Neovim: neovim, Vim: vim } },
);

scenario(
  "`ide-companion install` asks again, takes y, and loses nothing that is written to a settings file while it waits",
  async (sandbox) => {
    for (const name of ["kak", "gemini"]) await programInPath(sandbox, name, ["true"]);
    const settings = join(sandbox.home, ".gemini", "settings.json");
    await mkdir(join(sandbox.home, ".gemini"));
    await writeFile(settings, "{}\n");
    const bin = (await pathWithCommand(sandbox)).split(":")[0];
    const startInstall = async () => {
      const command = ["env", `PATH=${bin}`, process.execPath, companionScript, "install"];
      const terminal = await startTerminal(sandbox, { command });
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
    expect(await readdir(sandbox.home)).not.toContain(".config");

    const second = await startInstall();
    await second("Which?", "y");
    await second("Make these changes?", "y");
    await second("Kakoune is set up.");
  },
);

for (const kind of [gemini, qwen]) {
  scenario(
    `\`ide-companion install ${kind.name}\` switches IDE mode on for the real ${kind.displayName}`,
    async (sandbox) => {
      const companion = await startCompanion(sandbox);
      // Its tests' own settings, without what is to be switched on.
      const { ide: _, tools: __, ...others } = kind.settings as Record<string, unknown>;
      const text = `// mine\n${JSON.stringify(others, null, 2)}\n`;
      const cli = await startAgent(sandbox, kind, {
        settings: text,
        async start(...given) {
          await callCommand(sandbox, "install", "--yes", kind.name);
          return startTerminal(...given);
        },
      });
      await cli.connected();
      await cli.proposeWrite(sandbox.path("new.txt"), "new\n");
      await companion.says("new.txt");
    },
    { matrix: kind === qwen },
  );
}

scenario(
  "without a name the editors that are found are offered, and nothing happens without a yes",
  async (sandbox) => {
    const path = await pathWithCommand(sandbox);
    await programInPath(sandbox, "kak", [kakoune]);
    const start = (...args: readonly string[]) =>
      startTerminal(sandbox, {
        // Alone in the PATH: what else this machine has is not asked for.
        command: ["env", `PATH=${path.split(":")[0]}`, process.execPath, companionScript, ...args],
      });
    const first = await start("install");
    await first.waitFor("Which? Numbers or names, Enter for every editor, q for none:");
    expect(await first.screen()).toContain("   1  Kakoune  ~/bin/kak");
    await typeLine(first, "1");
    await first.waitFor("Make these changes? [y/N]");
    await first.press("Enter");
    expect(await first.exited()).toBe(1);
    expect(await first.screen()).toContain("Nothing was changed.");
    await killTree(first.pid);

    const second = await start("install", "kakoune");
    await second.waitFor("Make these changes? [y/N]");
    await typeLine(second, "y");
    await second.waitFor("Kakoune is set up.");
    expect(await second.exited()).toBe(0);
  },
  { needs: { Kakoune: kakoune } },
);
