import { agents } from "../../agents/agents.ts";
import type { Installer } from "./installer.ts";

/** What can be set up. A new editor is one more file, and one more entry here. */
export const installers: readonly Installer[] = [
  {
    name: "neovim",
    displayName: "Neovim",
    kind: "editor",
    programs: ["nvim"],
    load: async () => (await import("./editors/neovim.ts")).planNeovim,
  },
  {
    name: "vim",
    displayName: "Vim",
    kind: "editor",
    programs: ["vim", "gvim", "mvim"],
    load: async () => (await import("./editors/vim.ts")).planVim,
  },
  {
    name: "emacs",
    displayName: "Emacs",
    kind: "editor",
    programs: ["emacs"],
    load: async () => (await import("./editors/emacs.ts")).planEmacs,
  },
  {
    name: "helix",
    displayName: "Helix",
    kind: "editor",
    programs: ["hx", "helix"],
    load: async () => (await import("./editors/helix.ts")).planHelix,
  },
  {
    name: "kate",
    displayName: "Kate",
    kind: "editor",
    programs: ["kate"],
    load: async () => (await import("./editors/kate.ts")).planKate,
  },
  {
    name: "kakoune",
    displayName: "Kakoune",
    kind: "editor",
    programs: ["kak"],
    load: async () => (await import("./editors/kakoune.ts")).planKakoune,
  },
  vscode("vscode", "VS Code", "code"),
  vscode("vscode-insiders", "VS Code Insiders", "code-insiders"),
  vscode("vscodium", "VSCodium", "codium"),
  vscode("code-server", "code-server", "code-server"),
  vscode("cursor", "Cursor", "cursor"),
  vscode("windsurf", "Windsurf", "windsurf"),
  vscode("positron", "Positron", "positron"),
  vscode("antigravity", "Antigravity", "antigravity"),
  ...agents.map(
    (agent): Installer => ({
      name: agent.name,
      displayName: agent.displayName,
      kind: "agent",
      programs: [agent.command],
      load: async () => (await import("./editors/agent-settings.ts")).planAgent(agent),
    }),
  ),
];

function vscode(name: string, displayName: string, program: string): Installer {
  return {
    name,
    displayName,
    kind: "editor",
    programs: [program],
    load: async () => (await import("./editors/vscode.ts")).planVscode({ displayName, program }),
  };
}
