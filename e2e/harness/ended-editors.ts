import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { type CompanionOptions, startCompanion } from "./companion.ts";
import type { RowEditor } from "./diff-rows.ts";
import { neovim as program } from "./installed.ts";
import { attachNeovim, neovimCommand, pluginConfig } from "./neovim.ts";
import { openReviewPage } from "./review-page.ts";
import type { ScenarioOptions } from "./scenario.ts";
import { startTerminal, typeLine } from "./terminal.ts";

/** An editor that a scenario ends, to start the next one. */
export interface EndedEditor extends RowEditor {
  /** Opens a file of its folder. */
  open(name: string): Promise<void>;
  /** Selects a text in that file. */
  select(text: string): Promise<void>;
  /** Edits the user's own version of the proposal that is looked at, whose agent takes no edits. */
  editOwnVersion(before: string, after: string): Promise<void>;
  /** As its user does. */
  stop(): Promise<void>;
  /** As a crash would. */
  kill(): Promise<void>;
}

export interface EndedEditorKind {
  readonly name: string;
  readonly needs: NonNullable<ScenarioOptions["needs"]>;
  /** @param folder the workspace when absent */
  start(sandbox: Sandbox, folder?: string): Promise<EndedEditor>;
}

/** The two with which every scenario of an agent is tried. */
export const pageAndNeovim: readonly EndedEditorKind[] = [
  { name: "the review page", needs: {}, start: startPage },
  { name: "Neovim", needs: { Neovim: program }, start: startNeovim },
];

async function startPage(sandbox: Sandbox, folder?: string): Promise<EndedEditor> {
  const options: CompanionOptions = folder === undefined ? {} : { args: [folder] };
  const companion = await startCompanion(sandbox, options);
  const review = await openReviewPage(sandbox, companion.link);
  const { page, openFile: open, select, nothingWaits } = review;
  let shown: Awaited<ReturnType<typeof review.proposal>> | undefined;
  return {
    open,
    select,
    nothingWaits,
    async proposal(name, agent) {
      shown = await review.proposal(name, agent);
      return shown;
    },
    async editOwnVersion(before, after) {
      const button = page.getByRole("button", { name: "Edit my own version" });
      await button.click();
      // The text moves up with what goes.
      await button.waitFor({ state: "detached" });
      await shown?.edit(before, after);
    },
    stop: async () => void (await companion.stop()),
    kill: companion.kill,
  };
}

async function startNeovim(sandbox: Sandbox, folder = sandbox.workspace): Promise<EndedEditor> {
  // The plugin starts the companion with the first file.
  await writeFile(join(folder, "open.txt"), "");
  const { command, env, socket } = await neovimCommand(sandbox, pluginConfig, ["open.txt"]);
  const terminal = await startTerminal(sandbox, { command, env, cwd: folder });
  const editor = await attachNeovim(sandbox, terminal, socket);
  const { select, nothingWaits, kill } = editor;
  const type = (command: string) => typeLine(terminal, `:${command}`);
  return {
    select,
    nothingWaits,
    kill,
    open: (name) => editor.open(join(folder, name)),
    proposal: (name) => editor.proposal(name),
    async editOwnVersion(before, after) {
      await type("IdeCompanion edit");
      await terminal.waitFor(":w lets Copilot CLI");
      await type(`%s/${before}/${after}/`);
    },
    async stop() {
      await type("qa!");
      await terminal.exited();
    },
  };
}
