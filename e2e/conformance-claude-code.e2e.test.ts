import { join } from "node:path";
import { expect } from "vitest";
import { lendEditor } from "./conformance/kit-editor.ts";
import { kit, runKit, within } from "./conformance/kit-run.ts";
import { startReviewPage } from "./conformance/review-driver.ts";
import { neovim as neovimProgram } from "./harness/installed.ts";
import { neovim, pluginConfig } from "./harness/neovim.ts";
import { neovimCommand } from "./harness/neovim-remote.ts";
import { scenario } from "./harness/scenario.ts";

const inFolder = (name: string) => join(import.meta.dirname, "conformance", name);

/** At the same time: they mostly wait. */
const concurrent = { concurrent: true, within };

const agent = "claude-code";

scenario(
  "the library passes the whole conformance kit of Claude Code",
  async (sandbox) => {
    const hook = [process.execPath, join(kit, "example", "editor-command.js")];
    const command = [process.execPath, inFolder("core.mjs")];
    expect(await runKit(sandbox, { command, hook, agent })).toEqual([]);
  },
  concurrent,
);

scenario(
  "the review page passes the whole conformance kit of Claude Code",
  async (sandbox) => {
    const subject = await lendEditor(sandbox, startReviewPage);
    // The page has the folders of its start, and the editor command does not send from it.
    expect(await runKit(sandbox, { ...subject, agent })).toEqual(["folder-opened", "mention"]);
  },
  concurrent,
);

scenario(
  "Neovim with the plugin passes the whole conformance kit of Claude Code",
  async (sandbox) => {
    const { env } = await neovimCommand(sandbox, pluginConfig, []);
    const start = `exec "${neovimProgram}" --headless -n --listen "$CONFORMANCE_FOLDER/nvim" "+IdeCompanion start"`;
    const hook = [process.execPath, inFolder("neovim-command.mjs"), neovimProgram];
    const gaps = await runKit(sandbox, { command: ["/bin/sh", "-c", start], hook, env, agent });
    // No folder can be added to it.
    expect(gaps).toEqual(["folder-opened"]);
  },
  { ...concurrent, needs: neovim.needs },
);
