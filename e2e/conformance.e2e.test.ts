import { expect } from "vitest";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { lendEditor } from "./conformance/kit-editor.ts";
import { notOffered, oneFolder, ourLibrary, runKit, type Subject, within } from "./conformance/kit-run.ts";
import { startReviewPages } from "./conformance/review-driver.ts";
import { startNeovim } from "./conformance/vi-driver.ts";
import { neovim } from "./harness/neovim.ts";
import { scenario } from "./harness/scenario.ts";

interface Checked {
  readonly name: string;
  readonly needs?: Readonly<Record<string, string>>;
  open(sandbox: Sandbox): Promise<Subject>;
}

const core: Checked = { name: "the library", open: async () => ourLibrary() };

const page: Checked = {
  name: "the review page",
  open: async (sandbox) => lendEditor(sandbox, await startReviewPages(sandbox)),
};

const neovimPlugin: Checked = {
  name: "Neovim with the plugin",
  needs: neovim.needs,
  open: (sandbox) => lendEditor(sandbox, startNeovim),
};

/** Names for people of agents whose contract is checked by name. */
const titles: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  "codex-cli": "Codex CLI",
  "copilot-cli": "Copilot CLI",
};

/**
 * The checks that are not run are those that it cannot be driven to: no folder can be added to the page. Process tests
 * check the library by each contract in every commit. The longest contract has the editor that costs least there: a
 * browser under it takes four times as long.
 */
const runs = [
  { checked: core, notRun: notOffered, matrix: true },
  { checked: page, notRun: [...oneFolder, ...notOffered], matrix: true },
  { checked: neovimPlugin, notRun: notOffered },
  { checked: core, agent: "claude-code", notRun: [], matrix: true },
  { checked: page, agent: "claude-code", notRun: ["folder-opened"], matrix: true },
  { checked: neovimPlugin, agent: "claude-code", notRun: [], matrix: true },
  { checked: core, agent: "codex-cli", notRun: [], matrix: true },
  { checked: page, agent: "codex-cli", notRun: [], matrix: true },
  { checked: neovimPlugin, agent: "codex-cli", notRun: [], matrix: true },
  { checked: core, agent: "copilot-cli", notRun: [], matrix: true },
  { checked: page, agent: "copilot-cli", notRun: ["folder-opened", "lock-in-place"], matrix: true },
  { checked: neovimPlugin, agent: "copilot-cli", notRun: [], matrix: true },
];

for (const { checked, agent, notRun, matrix = false } of runs) {
  const { name, needs = {}, open } = checked;
  scenario(
    `${name} passes the whole conformance kit${agent === undefined ? "" : ` of ${titles[agent]}`}`,
    async (sandbox) => {
      const subject = await open(sandbox);
      expect(await runKit(sandbox, { ...subject, ...(agent !== undefined && { agent }) })).toEqual(notRun);
    },
    // They mostly wait.
    { concurrent: true, within, needs, matrix },
  );
}
