import { join } from "node:path";
import { expect } from "vitest";
import { lendEditor } from "./conformance/kit-editor.ts";
import { kit, notOffered, oneFolder, runKit, within } from "./conformance/kit-run.ts";
import { startReviewPage } from "./conformance/review-driver.ts";
import { neovim as neovimProgram } from "./harness/installed.ts";
import { neovim, pluginConfig } from "./harness/neovim.ts";
import { neovimCommand } from "./harness/neovim-remote.ts";
import { scenario } from "./harness/scenario.ts";

const inFolder = (name: string) => join(import.meta.dirname, "conformance", name);

/** At the same time: they mostly wait. */
const concurrent = { concurrent: true, within };

scenario(
  "the library passes the whole conformance kit",
  async (sandbox) => {
    const hook = [process.execPath, join(kit, "example", "editor-command.js")];
    expect(await runKit(sandbox, { command: [process.execPath, inFolder("core.mjs")], hook })).toEqual(
      notOffered,
    );
  },
  { ...concurrent, matrix: true },
);

scenario(
  "the review page passes the whole conformance kit",
  async (sandbox) => {
    const subject = await lendEditor(sandbox, startReviewPage);
    expect(await runKit(sandbox, subject)).toEqual([...oneFolder, ...notOffered]);
  },
  concurrent,
);

scenario(
  "Neovim with the plugin passes the whole conformance kit",
  async (sandbox) => {
    const { env } = await neovimCommand(sandbox, pluginConfig, []);
    const start = `exec "${neovimProgram}" --headless -n --listen "$CONFORMANCE_FOLDER/nvim" "+IdeCompanion start"`;
    const hook = [process.execPath, inFolder("neovim-command.mjs"), neovimProgram];
    const gaps = await runKit(sandbox, { command: ["/bin/sh", "-c", start], hook, env });
    expect(gaps).toEqual([...oneFolder, ...notOffered]);
  },
  { ...concurrent, needs: neovim.needs, matrix: true },
);
