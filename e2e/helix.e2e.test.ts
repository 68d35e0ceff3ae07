import { pathWithCommand } from "./harness/editor.ts";
import { editorScenarios } from "./harness/editor-scenarios.ts";
import { helix } from "./harness/helix.ts";
import { addCommand, callCommand, companionOf } from "./harness/installation.ts";
import { helix as installed } from "./harness/installed.ts";
import { scenario } from "./harness/scenario.ts";
import { startTerminal } from "./harness/terminal.ts";

editorScenarios(helix);

scenario(
  "after `ide-companion install helix` Helix starts the companion with a file of any language, without other servers",
  async (sandbox) => {
    await addCommand(sandbox, "hx", [installed.program]);
    const PATH = await pathWithCommand(sandbox);
    await callCommand(sandbox, "install", "--yes", "helix");
    for (const name of ["src/shop.js", "Dockerfile", "LICENSE"]) {
      const terminal = await startTerminal(sandbox, {
        command: [installed.program, await sandbox.write(name, "first\n")],
        env: { PATH, HELIX_RUNTIME: installed.runtime },
      });
      await companionOf(sandbox, "Helix", terminal.screen);
      await terminal.type(":q");
      await terminal.press("Enter");
      await terminal.exited();
    }
  },
  { needs: helix.needs },
);
