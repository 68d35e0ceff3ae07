import { firstSteps, type MakePlan, type Part, requireCommand } from "./set-up/plan.ts";

/** As a package of Neovim's own: no file of the user's is touched. */
export const planNeovim: MakePlan = (machine) => {
  requireCommand(machine);
  const { userFolders, platform, plugins, host } = machine;
  const name = host.env.NVIM_APPNAME || "nvim";
  const data = userFolders.join(userFolders.data, platform === "win32" ? `${name}-data` : name);
  const folder = userFolders.join(data, "site", "pack", "ide", "start", "ide-companion");
  const plugin: Part = { kind: "folder", path: folder, from: userFolders.join(plugins, "neovim") };
  const loader: Part = {
    kind: "file",
    path: userFolders.join(data, "site", "plugin", "load-ide-companion.lua"),
    edit: { kind: "whole", text: loaderText },
  };
  return {
    parts: [plugin, loader],
    next: [...firstSteps("Neovim", machine), "`:help ide-companion` has the rest."],
  };
};

/**
 * A plugin manager may make Neovim forget its packages, wherever it is installed: lazy.nvim does. They all load what lies
 * in `site/plugin`. Where the plugin is found without it, this does nothing.
 */
const loaderText = `-- By \`ide-companion install neovim\`: some plugin managers load no packages of Neovim's own.
local folder = vim.fn.stdpath("data") .. "/site/pack/ide/start/ide-companion"
local found = vim.api.nvim_get_runtime_file("plugin/ide-companion.lua", false)
if #found == 0 and vim.fn.isdirectory(folder) == 1 then
  vim.opt.runtimepath:append(folder)
  vim.cmd.runtime("plugin/ide-companion.lua")
end
`;
