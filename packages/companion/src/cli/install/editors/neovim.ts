import { existsSync } from "node:fs";
import type { MakePlan, Part } from "../installer.ts";
import { firstSteps } from "./first-steps.ts";
import { requireCommand } from "./require-command.ts";

/** As a package of Neovim's own: no file of the user's is touched. */
export const planNeovim: MakePlan = (machine) => {
  requireCommand(machine);
  const { places, platform, plugins, host } = machine;
  const name = host.env.NVIM_APPNAME || "nvim";
  const data = places.join(places.data, platform === "win32" ? `${name}-data` : name);
  const folder = places.join(data, "site", "pack", "ide", "start", "ide-companion");
  const plugin: Part = { kind: "folder", path: folder, from: places.join(plugins, "neovim") };
  const loader: Part = {
    kind: "file",
    path: places.join(data, "site", "plugin", "load-ide-companion.lua"),
    edit: { kind: "whole", text: lazyLoader },
  };
  const hasLazy = existsSync(places.join(data, "lazy", "lazy.nvim"));
  return {
    parts: hasLazy ? [plugin, loader] : [plugin],
    next: [...firstSteps("Neovim"), "`:help ide-companion` has the rest."],
  };
};

/** lazy.nvim forgets 'packpath', and loads what lies in `site/plugin`. */
const lazyLoader = `-- By \`ide-companion install neovim\`: lazy.nvim loads no packages of Neovim's own.
vim.opt.runtimepath:append(vim.fn.stdpath("data") .. "/site/pack/ide/start/ide-companion")
vim.cmd.runtime("plugin/ide-companion.lua")
`;
